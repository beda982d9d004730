//! The version of a family's data.

use serde::{Deserialize, Serialize};

/// Counts the changes of a family's data: it is another number after every change that a member could see.
///
/// A number that was there before never comes back, so a family that is made anew under its id begins anywhere.
///
/// It arrives with the key ([`KeyStorage::find_key`](crate::storage::KeyStorage::find_key)), as it is when a request
/// begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(i64);

impl Revision {
    /// A version, by the number that the storage counts.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

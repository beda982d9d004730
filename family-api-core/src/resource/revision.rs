//! The version of a family's data.

use serde::{Deserialize, Serialize};

/// The revision of a family's data. It changes with every change that a member could see.
///
/// A number is never used again for the same family id. A family that is deleted and created again must not begin with
/// a number that it had before.
///
/// [`KeyStorage::find_key`](crate::storage::KeyStorage::find_key) returns it together with the key, at the beginning of
/// a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(i64);

impl Revision {
    /// Creates a revision from the number in the storage.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

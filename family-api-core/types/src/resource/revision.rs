//! The version of a family's data.

use serde::{Deserialize, Serialize};

/// The revision of a family's data. Every change that a member can see changes the revision.
///
/// A number is never used twice for the same family id, even if the family is deleted and created again.
///
/// A storage returns the revision together with the key, at the beginning of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(i64);

impl Revision {
    /// Creates a revision from the number in the storage.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// Returns the revision after this one, for a storage that adds 1 with each change.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

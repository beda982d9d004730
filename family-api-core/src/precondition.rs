//! What must hold of a record for a write of it (HTTP reference, "Conditional requests").

use serde::Serialize;

use crate::entity_tag::{EntityTag, EntityTags};
use crate::storage::StorageError;

/// What must hold of a record for a write of it: an `If-Match` (RFC 9110, section 13.1.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing: the write is made whatever the record is.
    #[default]
    None,
    /// The record is at a version that these tags name.
    Match(EntityTags),
}

impl Precondition {
    /// Reads the `If-Match` lines of a request; several are one list.
    pub fn if_match<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        EntityTags::from_headers(lines).map_or(Self::None, Self::Match)
    }

    /// Whether it holds of the record as the caller sees it.
    ///
    /// A storage asks in the transaction of the write, once the record is found and before anything else is judged.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] where the record cannot be written as JSON.
    pub fn holds<T: Serialize>(&self, record: &T) -> Result<bool, StorageError> {
        match self {
            Self::None => Ok(true),
            Self::Match(tags) => Ok(tags.matches_strong(&EntityTag::of_record(record)?)),
        }
    }
}

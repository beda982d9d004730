//! The precondition of a write (HTTP reference, "Conditional requests").

use serde::Serialize;

use crate::entity_tag::{EntityTag, EntityTags};
use crate::json_error::JsonError;

/// A precondition of a write: an `If-Match` header (RFC 9110, section 13.1.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precondition {
    /// The write has no precondition.
    #[default]
    None,
    /// The current version of the record must match one of these tags.
    Match(EntityTags),
}

impl Precondition {
    /// Parses the `If-Match` headers of a request. Several headers count as one list.
    pub fn if_match<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        EntityTags::from_headers(lines).map_or(Self::None, Self::Match)
    }

    /// Returns whether the precondition holds. `record` is the current version, as the caller sees it.
    ///
    /// [`write_record`](crate::storage::write_sequence::write_record) calls this in the transaction of the write, after
    /// it has found the record and before any other check.
    ///
    /// # Errors
    /// [`JsonError`] if the record cannot be serialized as JSON.
    pub fn holds<T: Serialize>(&self, record: &T) -> Result<bool, JsonError> {
        match self {
            Self::None => Ok(true),
            Self::Match(tags) => Ok(tags.matches_strong(&EntityTag::of_record(record)?)),
        }
    }
}

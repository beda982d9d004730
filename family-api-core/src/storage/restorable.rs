//! The list of deleted records that a member can restore.

use crate::Timestamp;
use crate::resource::RecordKind;
use crate::storage::DeletedRecord;
use crate::storage::kept::DELETED_RECORD_RETENTION;

/// Selects deleted records: newest deletion first, then by kind and id, both descending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestorableQuery {
    /// The kind of the records. `None` selects all kinds that can be restored.
    pub kind: Option<RecordKind>,
    /// The records were deleted after this instant.
    pub since: Timestamp,
    /// The position of the last record of the previous page. `None` selects the first page.
    pub after: Option<RestorablePosition>,
    /// Maximum number of records.
    pub limit: u32,
}

/// The position of a deleted record in the list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RestorablePosition {
    /// When the record was deleted.
    pub deleted_at: Timestamp,
    /// The kind and the id of the record, with a space between them.
    pub record: String,
}

/// A deleted record in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestorableEntry {
    /// The kind of the record.
    pub kind: RecordKind,
    /// Identifier of the record.
    pub id: String,
    /// The title of the record, or the name of an item.
    pub title: String,
    /// When the record was deleted.
    pub deleted_at: Timestamp,
}

impl RestorableEntry {
    /// Returns the position after which the next page begins.
    #[must_use]
    pub fn position(&self) -> RestorablePosition {
        RestorablePosition { deleted_at: self.deleted_at, record: format!("{} {}", self.kind.as_str(), self.id) }
    }

    /// Returns when the record can no longer be restored.
    #[must_use]
    pub fn restorable_until(&self) -> Timestamp {
        self.deleted_at.saturating_add(DELETED_RECORD_RETENTION)
    }

    pub(in crate::storage) fn new(deleted: &DeletedRecord, title: String) -> Self {
        Self { kind: deleted.kind, id: deleted.id.clone(), title, deleted_at: deleted.deleted_at }
    }
}

impl RestorableQuery {
    pub(in crate::storage) fn selects(&self, entry: &RestorableEntry) -> bool {
        self.kind.is_none_or(|kind| kind == entry.kind)
            && entry.deleted_at > self.since
            && self.after.as_ref().is_none_or(|after| entry.position() < *after)
    }

    /// Sorts the entries, and keeps those of the page.
    pub(in crate::storage) fn page(&self, mut entries: Vec<RestorableEntry>) -> Vec<RestorableEntry> {
        entries.sort_by_cached_key(|entry| std::cmp::Reverse(entry.position()));
        entries.truncate(self.limit as usize);
        entries
    }
}

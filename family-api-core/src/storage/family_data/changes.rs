//! The changes of a family's records since a revision.

use crate::for_each_kind;
use crate::id::{Id, UserId};
use crate::resource::{AnyRecord, RecordKind};
use crate::storage::family_data::RowKind;
use crate::storage::{ChangesQuery, FamilyData, FollowedLog, FoundChanges, LogRange, LoggedChange, StorageError};

impl FamilyData {
    /// Lists the changes since a revision, as the user sees them.
    pub(super) fn list_changes(&self, user: &UserId, query: &ChangesQuery) -> Result<FoundChanges, StorageError> {
        // Without a revision, the user has left the family.
        let Some(current) = self.revision else {
            return Ok(FoundChanges::Expired);
        };
        match (LogRange { rows: self.log_since(query), current }).follow(user, query) {
            Some(followed) => {
                let visible = self.visible_records(user, &followed);
                followed.within(visible, query)
            }
            None => Ok(FoundChanges::Expired),
        }
    }

    /// Returns the rows after the revision, in order: whole transactions, until the limit is reached.
    fn log_since(&self, query: &ChangesQuery) -> Vec<LoggedChange> {
        let mut rows: Vec<_> = self.changes.iter().filter(|row| row.revision.get() > query.since.get()).collect();
        rows.sort_by_key(|row| (row.revision.get(), row.ordinal));
        let last = rows.get((query.limit as usize).saturating_sub(1)).map(|row| row.revision.get());
        rows.into_iter().take_while(|row| last.is_none_or(|last| row.revision.get() <= last)).cloned().collect()
    }

    /// Returns the records of the log that the user sees, with the people and the category that they refer to.
    fn visible_records(&self, user: &UserId, followed: &FollowedLog) -> Vec<AnyRecord> {
        let mut visible = Vec::new();
        macro_rules! visible_of_each_kind {
            ($($method:ident: $Record:ident,)*) => {
                $(self.extend_visible::<crate::resource::$Record>(user, followed, RecordKind::$Record, &mut visible);)*
            };
        }
        for_each_kind!(visible_of_each_kind);
        visible
    }

    fn extend_visible<R: RowKind + Into<AnyRecord>>(
        &self,
        user: &UserId,
        followed: &FollowedLog,
        kind: RecordKind,
        visible: &mut Vec<AnyRecord>,
    ) {
        for id in followed.ids(kind) {
            let stored = R::rows(self).iter().find(|record| record.id().text() == id);
            let seen = stored.filter(|record| record.is_visible(self, user));
            visible.extend(seen.map(|record| record.clone().joined(self).into()));
        }
    }
}

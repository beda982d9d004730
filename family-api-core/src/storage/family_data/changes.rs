//! The changes of a family's records since a revision.

use crate::for_each_kind;
use crate::id::{Id, UserId};
use crate::resource::AnyRecord;
use crate::storage::family_data::RowKind;
use crate::storage::{ChangesQuery, FamilyData, FollowedLog, FoundChanges, LogRange, LoggedChange, StorageError};

impl FamilyData {
    /// Lists the changes since a revision, as the user sees them.
    pub(super) fn list_changes(&self, user: &UserId, query: &ChangesQuery) -> Result<FoundChanges, StorageError> {
        // Without a revision, the user has left the family.
        let Some(current) = self.revision else {
            return Ok(FoundChanges::Expired);
        };
        let range = LogRange { rows: self.log_since(query), current };
        let Some(mut followed) = range.follow(user, query) else {
            return Ok(FoundChanges::Expired);
        };
        macro_rules! add_each_kind {
            ($($method:ident: $Record:ident,)*) => {
                $(self.add_visible::<crate::resource::$Record>(user, &mut followed)?;)*
            };
        }
        for_each_kind!(add_each_kind);
        Ok(followed.finish())
    }

    /// Returns the rows after the revision, in order: whole transactions, until the limit is reached.
    fn log_since(&self, query: &ChangesQuery) -> Vec<LoggedChange> {
        let mut rows: Vec<_> = self.changes.iter().filter(|row| row.revision.get() > query.since.get()).collect();
        rows.sort_by_key(|row| (row.revision.get(), row.ordinal));
        let last = rows.get((query.limit as usize).saturating_sub(1)).map(|row| row.revision.get());
        rows.into_iter().take_while(|row| last.is_none_or(|last| row.revision.get() <= last)).cloned().collect()
    }

    /// Adds the records that the user sees, with the people and the category that they refer to.
    fn add_visible<R: RowKind + Into<AnyRecord>>(
        &self,
        user: &UserId,
        followed: &mut FollowedLog,
    ) -> Result<(), StorageError> {
        let ids: Vec<_> = followed.ids(R::KIND).map(str::to_owned).collect();
        for id in ids {
            let stored = R::rows(self).iter().find(|record| record.id().text() == id);
            if let Some(record) = stored.filter(|record| record.is_visible(self, user)) {
                followed.add(record.clone().joined(self))?;
            }
        }
        Ok(())
    }
}

//! The deletion of old and surplus rows that are kept for a time: deleted records, changes and idempotency keys. SQLite and
//! PostgreSQL execute the same text.

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::resource::RecordKind;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{DeletedRecordLimit, Member, StorageError};

use crate::changes::{FIND_OLD_CHANGES, FIND_SURPLUS_CHANGES, PURGE_CHANGES};
#[cfg(test)]
use crate::deleted_records::{DELETE_DELETED, FIND_DELETED};
use crate::deleted_records::{FIND_OLD_DELETED, FIND_SURPLUS_DELETED, PURGE_DELETED};
#[cfg(test)]
use crate::idempotency_keys::FIND_ANSWER;
use crate::idempotency_keys::{FIND_OLD_ANSWERS, FIND_SURPLUS_ANSWERS, PURGE_ANSWER};
use crate::sql_connection::SqlConnection;

/// Returns the statements that look up by family.
#[cfg(test)]
pub(crate) fn statements() -> [&'static str; 9] {
    [
        FIND_DELETED,
        DELETE_DELETED,
        FIND_ANSWER,
        PURGE_DELETED,
        PURGE_CHANGES,
        PURGE_ANSWER,
        FIND_SURPLUS_DELETED,
        FIND_SURPLUS_CHANGES,
        FIND_SURPLUS_ANSWERS,
    ]
}

/// Returns whether a statement that looks up by family sorts.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) fn sorts(statement: &str) -> bool {
    [FIND_SURPLUS_DELETED, FIND_SURPLUS_ANSWERS].contains(&statement)
}

/// Returns the statements that look up by age, each with its column.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) fn statements_by_age() -> [(&'static str, &'static str); 3] {
    [(FIND_OLD_DELETED, "deleted_at"), (FIND_OLD_CHANGES, "changed_at"), (FIND_OLD_ANSWERS, "created_at")]
}

/// Which deleted records, changes or idempotency keys are deleted for ever.
#[derive(Clone, Copy)]
pub(crate) enum Purge<'a> {
    /// The records that were deleted at the instant or earlier.
    OldDeleted(Timestamp),
    /// The deleted records of a kind in the family except for the newest within the limit. The oldest are
    /// deleted first.
    SurplusDeleted(&'a FamilyId, RecordKind, DeletedRecordLimit),
    /// The changes that were made at the instant or earlier, with all changes of their transactions.
    OldChanges(Timestamp),
    /// The changes of the family before the last ones, with all changes of their transactions. The earliest are deleted
    /// first.
    SurplusChanges(&'a FamilyId, u32),
    /// The idempotency keys that were used at the instant or earlier.
    OldIdempotencyKeys(Timestamp),
    /// The idempotency keys of the member except for the newest. The oldest are deleted first.
    SurplusIdempotencyKeys(&'a Member, u32),
}

/// A row to delete: the columns of its primary key, or the family and the revision of a transaction, and its instant.
type PurgedRow = (Vec<String>, Timestamp);

impl Purge<'_> {
    /// Finds rows to delete. Sorts them, so that two purges lock them in the same order.
    pub(crate) async fn find(
        &self,
        connection: &mut impl SqlConnection,
        limit: u32,
    ) -> Result<Vec<PurgedRow>, StorageError> {
        let number = |number: u32| Datum::Integer(Some(number.into()));
        let (sql, mut arguments) = match self {
            Self::OldDeleted(until) => (FIND_OLD_DELETED, vec![Datum::of(until)]),
            Self::SurplusDeleted(family, kind, keep) => {
                let kind = Datum::Text(Some(kind.as_str()));
                let bytes = Datum::Integer(Some(keep.bytes.try_into().unwrap_or(i64::MAX)));
                (FIND_SURPLUS_DELETED, vec![Datum::of(*family), kind, number(keep.records), bytes])
            }
            Self::OldChanges(until) => (FIND_OLD_CHANGES, vec![Datum::of(until)]),
            Self::SurplusChanges(family, keep) => (FIND_SURPLUS_CHANGES, vec![Datum::of(*family), number(*keep)]),
            Self::OldIdempotencyKeys(until) => (FIND_OLD_ANSWERS, vec![Datum::of(until)]),
            Self::SurplusIdempotencyKeys(Member { family, user }, keep) => {
                (FIND_SURPLUS_ANSWERS, vec![Datum::of(family), Datum::of(user), number(*keep)])
            }
        };
        arguments.push(number(limit));
        let mut rows = Vec::new();
        for row in connection.find_rows(sql, arguments).await? {
            let mut values = Values::of(&row);
            let columns = if self.is_of_log() { 2 } else { 3 };
            let key = (0..columns).map(|_| values.take()).collect::<Result<_, _>>()?;
            rows.push((key, values.take()?));
        }
        rows.sort_unstable();
        rows.dedup();
        Ok(rows)
    }

    /// Returns whether transactions of the log are deleted, by their family and revision.
    const fn is_of_log(&self) -> bool {
        matches!(self, Self::OldChanges(_) | Self::SurplusChanges(..))
    }

    /// Deletes the rows, and returns their number. Skips a row that has changed since it was found. No change of the log
    /// changes.
    pub(crate) async fn delete(
        &self,
        connection: &mut impl SqlConnection,
        rows: &[PurgedRow],
    ) -> Result<u64, StorageError> {
        let sql = match self {
            Self::OldDeleted(_) | Self::SurplusDeleted(..) => PURGE_DELETED,
            Self::OldChanges(_) | Self::SurplusChanges(..) => PURGE_CHANGES,
            Self::OldIdempotencyKeys(_) | Self::SurplusIdempotencyKeys(..) => PURGE_ANSWER,
        };
        let mut deleted = 0;
        for (key, at) in rows {
            let at = (!self.is_of_log()).then(|| Datum::of(at));
            deleted += connection.execute(sql, key.iter().map(Datum::of).chain(at).collect()).await?;
        }
        Ok(deleted)
    }
}

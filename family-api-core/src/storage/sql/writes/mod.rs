//! The statements of writes. SQLite and PostgreSQL execute the same text.

mod event;
mod note;
mod record_bound;
mod shopping;
mod statements;
mod steps;
mod task;

#[cfg(feature = "postgres")]
pub(in crate::storage) use record_bound::lower as lower_bound;
pub(in crate::storage::sql) use record_bound::records_of_families;
pub(in crate::storage) use record_bound::{count_records, not_counted};
pub(in crate::storage) use steps::SqlSteps;

use crate::Timestamp;
use crate::id::UserId;
use crate::storage::sql::SqlConnection;
use crate::storage::table::Table;
use crate::storage::value::{Datum, StoredRow, Values};
use crate::storage::write_sequence::Target;
use crate::storage::{Member, StorageError, Writable};

pub(in crate::storage) use statements::Statements;

/// A kind of record that statements write. The arguments of every statement begin with the family `$1`, the record
/// `$2`, and, if the kind has the condition [`VISIBLE`](Self::VISIBLE), the user `$3`.
pub(in crate::storage) trait SqlKind: Writable {
    /// The table of the records.
    const TABLE: &'static Table;
    /// The columns that no update changes.
    const FIXED: &'static [&'static str];
    /// The condition that the user `$3` sees the record `t`. `None` if every member sees it.
    const VISIBLE: Option<&'static str> = None;
    /// The condition that the record `$2` contains no other record. `None` if it cannot contain one.
    const EMPTY: Option<&'static str> = None;
    /// The column with the author of a record, if the record shows its author as a person.
    const AUTHOR: Option<&'static str> = None;
    /// The records that the write names. The joins begin at `families f`.
    const NAMED: Joined = Joined::NONE;
    /// The records that a stored record `t` refers to.
    const REFERENCED: Joined = Joined::NONE;

    /// Returns the statements of the kind. They are built once.
    fn statements() -> &'static Statements;

    /// Returns the author of a record that is not stored, if the kind has an [`AUTHOR`](Self::AUTHOR), and the
    /// arguments of [`NAMED`](Self::NAMED).
    fn facts_arguments<'a>(target: &Target<'a, Self>, user: &'a UserId) -> Vec<Datum<'a>>;

    /// Reads the author and [`NAMED`](Self::NAMED). For a stored target, then reads the record and
    /// [`REFERENCED`](Self::REFERENCED). Returns `None` if the user does not see the stored record.
    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        author: &NewAuthor<'_>,
    ) -> Result<Option<Self::Facts>, StorageError>;

    /// Changes other records before the record is stored.
    fn make_room(
        _connection: &mut impl SqlConnection,
        _member: &Member,
        _write: &Self::Write,
    ) -> impl Future<Output = Result<(), StorageError>> + Send {
        async { Ok(()) }
    }
}

/// Records that the rules need, as columns and the joins to their tables.
pub(in crate::storage) struct Joined {
    columns: &'static [Columns],
    joins: &'static str,
}

impl Joined {
    const NONE: Self = Self { columns: &[], joins: "" };
}

/// Columns of a joined table, or an expression.
pub(in crate::storage) enum Columns {
    /// The columns of a user as other members see them. The value is the alias of the table.
    Person(&'static str),
    /// The columns of a category of notes. The value is the alias of the table.
    Category(&'static str),
    Expression(&'static str),
}

/// The author of a record that is created at `now`.
pub(in crate::storage) struct NewAuthor<'a> {
    pub(in crate::storage) user: &'a UserId,
    pub(in crate::storage) now: Timestamp,
}

/// Implements [`WriteStorage`](crate::storage::WriteStorage) for a storage with the methods `write_record`,
/// `delete_checked` and `purge_kept`.
macro_rules! impl_write_storage {
    ($Storage:ident => $($method:ident: $Record:ident,)*) => {
        #[async_trait::async_trait]
        impl $crate::storage::WriteStorage for $Storage {
            fn capabilities(&self) -> $crate::storage::Capabilities {
                $crate::storage::Capabilities::all()
            }

            $(
                async fn $method(
                    &self,
                    author: &$crate::storage::Author,
                    write: &$crate::storage::RecordWrite<$crate::resource::$Record>,
                ) -> Result<$crate::storage::Written<$crate::resource::$Record>, $crate::storage::StorageError> {
                    self.write_record(author, write).await
                }
            )*

            async fn delete_checked_items(
                &self,
                author: &$crate::storage::Author,
                list: &$crate::id::ListId,
                now: $crate::Timestamp,
            ) -> Result<$crate::storage::Written<Vec<$crate::id::ItemId>>, $crate::storage::StorageError> {
                self.delete_checked(author, list, now).await
            }

            async fn delete_old_records(
                &self,
                until: $crate::Timestamp,
                limit: u32,
            ) -> Result<u64, $crate::storage::StorageError> {
                self.purge_kept($crate::storage::sql::KeptPurge::OldRecords(until), limit).await
            }

            async fn delete_surplus_records(
                &self,
                family: &$crate::id::FamilyId,
                kind: $crate::resource::RecordKind,
                keep: $crate::storage::DeletedRecordLimit,
                limit: u32,
            ) -> Result<u64, $crate::storage::StorageError> {
                self.purge_kept($crate::storage::sql::KeptPurge::SurplusRecords(family, kind, keep), limit).await
            }

            async fn delete_old_idempotency_keys(
                &self,
                until: $crate::Timestamp,
                limit: u32,
            ) -> Result<u64, $crate::storage::StorageError> {
                self.purge_kept($crate::storage::sql::KeptPurge::OldAnswers(until), limit).await
            }

            async fn delete_surplus_idempotency_keys(
                &self,
                member: &$crate::storage::Member,
                keep: u32,
                limit: u32,
            ) -> Result<u64, $crate::storage::StorageError> {
                self.purge_kept($crate::storage::sql::KeptPurge::SurplusAnswers(member, keep), limit).await
            }
        }
    };
}

pub(in crate::storage) use impl_write_storage;

/// Returns the statements that look up records, for the tests of the query plans.
#[cfg(test)]
pub(in crate::storage) fn statements() -> Vec<&'static str> {
    fn of<R: SqlKind>() -> Vec<&'static str> {
        let Statements { facts, new_facts, update, delete, bound, .. } = R::statements();
        let mut statements: Vec<&str> = vec![facts, new_facts, update, delete];
        if let Some(bound) = bound {
            statements.extend([bound.raise.as_str(), &bound.lower]);
            #[cfg(feature = "postgres")]
            statements.extend([bound.add_record.as_str(), &bound.remove_record]);
        }
        statements
    }

    macro_rules! of_each_kind {
        ($($method:ident: $Record:ident,)*) => {
            [$(of::<crate::resource::$Record>()),*]
        };
    }
    let mut statements = crate::storage::writable::for_each_kind!(of_each_kind).concat();
    statements.extend([task::SHIFT_TASKS.as_str(), shopping::delete_item(), &shopping::FIND_CHECKED]);
    statements.extend([record_bound::LOCK, &record_bound::COUNT]);
    statements
}

/// Returns whether a statement sorts: it finds the first column, or the items that were checked first.
#[cfg(all(test, feature = "sqlite"))]
pub(in crate::storage) fn sorts(statement: &str) -> bool {
    let Statements { facts, new_facts, .. } = <crate::resource::Task as SqlKind>::statements();
    [facts, new_facts, &*shopping::FIND_CHECKED].iter().any(|sorting| *sorting == statement)
}

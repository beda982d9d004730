//! The statements of writes. SQLite and PostgreSQL execute the same text, except to count records.

mod event;
mod note;
mod record_bound;
mod room;
mod shopping;
mod steps;
mod task;

#[cfg(feature = "postgres")]
pub(crate) use record_bound::lower as lower_bound;
#[cfg(feature = "sqlite")]
pub(crate) use record_bound::{Counted, LastCount, find_counts, store_counts};
pub(crate) use record_bound::{count_records, records_of_families};
pub(crate) use room::{RestOfSpread, RoomMade};
pub(crate) use steps::{Interruption, SqlSteps, Statements};

use family_api_core::Timestamp;
use family_api_core::change::{Creator, Editable};
use family_api_core::id::UserId;
use family_api_core::resource::{Person, RecordKind};
use family_api_core::storage::table::Table;
use family_api_core::storage::value::{Datum, StoredRow, Values};
use family_api_core::storage::write_sequence::Target;
use family_api_core::storage::{Member, StorageError, Writable};

use crate::sql_connection::{Engine, PerEngine, SqlConnection};

/// Adds 1 to the revision of the family `$1`, which locks its row. Concurrent writers of a family wait for each other
/// here.
pub(crate) const INCREMENT_REVISION: &str = "UPDATE families SET revision = revision + 1 WHERE id = $1";

/// A kind of record that statements write. The arguments of every statement begin with the family `$1`, the record
/// `$2`, and, if the kind has the condition [`VISIBLE`](Self::VISIBLE), the user `$3`.
pub(crate) trait SqlKind: Writable {
    /// The table of the records.
    const TABLE: &'static Table;
    /// The columns that no update changes.
    const FIXED: &'static [&'static str];
    /// The condition that the user `$3` sees the record `t`. `None` if every member sees it.
    const VISIBLE: Option<&'static str> = None;
    /// The text of who sees the record `t`, as [`Audience::to_text`](family_api_core::storage::Audience::to_text) returns
    /// it.
    const AUDIENCE: &'static str = "'*'";
    /// The condition that the record `$2` contains no other record. `None` if it cannot contain one.
    const EMPTY: Option<&'static str> = None;
    /// The column with the author of a record, if the record shows its author as a person.
    const AUTHOR: Option<&'static str> = None;
    /// The records that the write names. The joins begin at `families f`.
    const NAMED: Joined = Joined::NONE;
    /// The records that a stored record `t` refers to.
    const REFERENCED: Joined = Joined::NONE;

    /// Returns the statements of the kind. They are built once.
    fn statements(engine: Engine) -> &'static Statements {
        const KINDS: usize = RecordKind::ALL.len();
        static STATEMENTS: [PerEngine<Statements>; KINDS] = [const { PerEngine::new() }; KINDS];
        STATEMENTS[Self::KIND as usize].get(engine, Statements::of::<Self>)
    }

    /// Returns the author of a record that is not stored, if the kind has an [`AUTHOR`](Self::AUTHOR), and the
    /// arguments of [`NAMED`](Self::NAMED).
    fn facts_arguments<'a>(_target: &Target<'a, Self>, _user: &'a UserId) -> Vec<Datum<'a>> {
        Vec::new()
    }

    /// Reads the author and [`NAMED`](Self::NAMED). For a stored target, then reads the record and
    /// [`REFERENCED`](Self::REFERENCED). Returns `None` if the user does not see the stored record.
    fn read_facts(
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, Self>,
        creation: &Creation<'_>,
    ) -> Result<Option<Self::Facts>, StorageError>;

    /// Reads a record, its author if the kind has an [`AUTHOR`](Self::AUTHOR), and [`REFERENCED`](Self::REFERENCED).
    fn read_joined(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError> {
        Self::read(values)
    }

    /// Changes other records before the record is updated.
    fn make_room(
        _connection: &mut impl SqlConnection,
        _member: &Member,
        _write: &Self::Write,
        _rest: Option<RestOfSpread>,
    ) -> impl Future<Output = Result<RoomMade, StorageError>> + Send {
        async { Ok(RoomMade::Free) }
    }
}

/// Records that the rules need, as columns and the joins to their tables.
pub(crate) struct Joined {
    columns: &'static [Selected],
    pub(crate) joins: &'static str,
}

impl Joined {
    const NONE: Self = Self { columns: &[], joins: "" };
}

/// What a statement selects from a joined table.
pub(crate) enum Selected {
    /// The columns of a user as other members see them. The value is the alias of the table.
    Person(&'static str),
    /// The columns of a category of notes. The value is the alias of the table.
    Category(&'static str),
    Expression(&'static str),
}

/// The creation of a record by `user` at `now`.
pub(crate) struct Creation<'a> {
    pub(crate) user: &'a UserId,
    pub(crate) now: Timestamp,
}

impl Creation<'_> {
    /// Returns the blank record of a creation. `person` is the author as other members see them.
    fn blank<R: Editable>(&self, target: &Target<'_, R>, person: Option<&Person>) -> R {
        R::blank(target.id().clone(), &Creator { user: self.user, person }, self.now)
    }

    /// Returns the record of a target without joined records. `None` if the user does not see the stored record.
    fn record<R: SqlKind>(
        &self,
        values: &mut Values<'_, impl StoredRow>,
        target: &Target<'_, R>,
    ) -> Result<Option<R>, StorageError> {
        match target {
            Target::Stored(..) => values.joined(),
            Target::New(..) => Ok(Some(self.blank(target, None))),
            Target::Deleted(record) => Ok(Some((*record).clone())),
        }
    }
}

/// Implements [`WriteStorage`](family_api_core::storage::WriteStorage) for a storage with the methods `write_record`,
/// `delete_checked` and `purge_rows`.
macro_rules! impl_write_storage {
    ($Storage:ident => $($method:ident: $Record:ident,)*) => {
        const _: () = {
            use family_api_core::Timestamp;
            use family_api_core::id::{FamilyId, ListId};
            use family_api_core::resource::{RecordKind, $($Record),*};
            use family_api_core::storage::{
                Author, Capabilities, DeletedRecordLimit, Member, RecordWrite, StorageError, WriteStorage, Written,
            };
            use $crate::purge::Purge;

            #[async_trait::async_trait]
            impl WriteStorage for $Storage {
                fn capabilities(&self) -> Capabilities {
                    Capabilities::all().with_changes()
                }

                $(
                    async fn $method(
                        &self,
                        author: &Author,
                        write: &RecordWrite<$Record>,
                    ) -> Result<Written<$Record>, StorageError> {
                        self.write_record(author, write).await
                    }
                )*

                async fn delete_checked_items(
                    &self,
                    author: &Author,
                    list: &ListId,
                    now: Timestamp,
                ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
                    self.delete_checked(author, list, now).await
                }

                async fn forget_old_deleted(
                    &self,
                    until: Timestamp,
                    limit: u32,
                ) -> Result<u64, StorageError> {
                    self.purge_rows(Purge::OldDeleted(until), limit).await
                }

                async fn forget_surplus_deleted(
                    &self,
                    family: &FamilyId,
                    kind: RecordKind,
                    keep: DeletedRecordLimit,
                    limit: u32,
                ) -> Result<u64, StorageError> {
                    self.purge_rows(Purge::SurplusDeleted(family, kind, keep), limit).await
                }

                async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
                    self.purge_rows(Purge::OldChanges(until), limit).await
                }

                async fn delete_surplus_changes(
                    &self,
                    family: &FamilyId,
                    keep: u32,
                    limit: u32,
                ) -> Result<u64, StorageError> {
                    self.purge_rows(Purge::SurplusChanges(family, keep), limit).await
                }

                async fn delete_old_idempotency_keys(
                    &self,
                    until: Timestamp,
                    limit: u32,
                ) -> Result<u64, StorageError> {
                    self.purge_rows(Purge::OldIdempotencyKeys(until), limit).await
                }

                async fn delete_surplus_idempotency_keys(
                    &self,
                    member: &Member,
                    keep: u32,
                    limit: u32,
                ) -> Result<u64, StorageError> {
                    self.purge_rows(Purge::SurplusIdempotencyKeys(member, keep), limit).await
                }
            }
        };
    };
}

pub(crate) use impl_write_storage;

/// Returns the statements that look up records, for the tests of the query plans.
#[cfg(test)]
pub(crate) fn statements(engine: Engine) -> Vec<&'static str> {
    fn of<R: SqlKind>(engine: Engine) -> Vec<&'static str> {
        let Statements { facts, new_facts, update, delete, log, find_records, bound, .. } = R::statements(engine);
        let mut statements: Vec<&str> = vec![facts, new_facts, update, delete, log, find_records];
        if let Some(bound) = bound {
            statements.extend([bound.count_few.as_str(), &bound.raise, &bound.lower]);
            #[cfg(feature = "postgres")]
            statements.extend([bound.add_record.as_str(), &bound.remove_record]);
        }
        statements
    }

    macro_rules! of_each_kind {
        ($($method:ident: $Record:ident,)*) => {
            [$(of::<family_api_core::resource::$Record>(engine)),*]
        };
    }
    let mut statements = family_api_core::for_each_kind!(of_each_kind).concat();
    statements.extend([room::FIND_FOLLOWING.as_str(), room::SHIFT_TASKS]);
    statements.extend([room::FIND_SPREAD, room::COUNT_FOLLOWING, room::SPREAD_TASKS]);
    statements.extend([shopping::delete_item(), &shopping::FIND_CHECKED]);
    statements.extend([record_bound::LOCK, record_bound::count_all(engine)]);
    #[cfg(feature = "sqlite")]
    if matches!(engine, Engine::Sqlite) {
        statements.extend([record_bound::FIND_COUNTS.as_str(), &record_bound::STORE_COUNTS]);
    }
    statements
}

/// Returns whether a statement sorts: it finds the first column, or the items that were checked first.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) fn sorts(statement: &str) -> bool {
    let Statements { facts, new_facts, .. } = <family_api_core::resource::Task as SqlKind>::statements(Engine::Sqlite);
    [facts, new_facts, &*shopping::FIND_CHECKED].iter().any(|sorting| *sorting == statement)
}

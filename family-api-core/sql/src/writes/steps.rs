//! The steps of a write, as statements in its transaction, and the statements of a kind of record, from its columns and
//! conditions.

use family_api_core::Timestamp;
use family_api_core::id::{Id, ListId};
use family_api_core::resource::{NoteCategory, Person, ShoppingItem};
use family_api_core::storage::value::{Datum, StoredFields, Values};
use family_api_core::storage::write_sequence::{CheckedItemSteps, Growth, Target, WriteSteps};
use family_api_core::storage::{DeletedRecord, IdempotentAnswer, Member, StorageError};

use crate::any_connection::AnyConnection;
use crate::changes::Log;
use crate::columns::{assignments, columns, updated_values};
use crate::sql_connection::{Engine, SqlConnection};
use crate::writes::record_bound::{self, BoundStatements, LastCount};
use crate::writes::shopping::CheckedItems;
use crate::writes::{Creation, Joined, RestOfSpread, RoomMade, Selected, SqlKind, shopping};
use crate::{changes, deleted_records, idempotency_keys};

/// What must happen before a write can be made.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Interruption {
    /// The records must be counted again since this count, in a transaction of its own. This one must be rolled back.
    Count(LastCount),
    /// More tasks must get another place. This transaction has moved only some of them, and must be committed.
    Spread(RestOfSpread),
}

/// A write in progress.
pub(crate) struct SqlSteps<'a> {
    connection: AnyConnection<'a>,
    member: &'a Member,
    /// The number of new records that the bound already includes.
    counted: i64,
    /// The bound or the count of the records of the kind, which [`find_facts`](WriteSteps::find_facts) reads.
    bound: Option<i64>,
    /// Whether the bound is counted again if it has reached the limit.
    is_count_due: bool,
    last_count: LastCount,
    /// What the first statement that stores a record adds to the bound: blocks of text, and the other part of a split
    /// if no trigger counts it.
    gained: i64,
    /// What an earlier transaction of the write has left.
    resumed: Option<RestOfSpread>,
    interruption: Option<Interruption>,
    log: Log,
    /// The checked items that are deleted.
    checked: Vec<(ShoppingItem, String)>,
}

impl<'a> SqlSteps<'a> {
    /// `counted` is the number of records of this write that the bound already includes: 1 if the record
    /// was counted when the transaction began, 0 if a trigger counts it when it is inserted.
    pub(crate) fn new(connection: impl Into<AnyConnection<'a>>, member: &'a Member, counted: i64) -> Self {
        Self {
            connection: connection.into(),
            member,
            counted,
            bound: None,
            is_count_due: false,
            last_count: LastCount::default(),
            gained: 0,
            resumed: None,
            interruption: None,
            log: Log::default(),
            checked: Vec::new(),
        }
    }

    /// Takes note of the revision before the transaction. On PostgreSQL, the first statement has already added 1.
    fn begin_log(&mut self, revision: i64) {
        self.log.since = match self.connection.engine() {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite => revision,
            #[cfg(feature = "postgres")]
            Engine::Postgres => revision - 1,
        };
    }

    /// Goes on with what an earlier transaction of the write has left.
    pub(crate) fn resume(self, resumed: Option<RestOfSpread>) -> Self {
        Self { resumed, ..self }
    }

    /// Returns what must happen before the write. Then the sequence has ended with a fault, and another transaction runs
    /// it again.
    pub(crate) fn interruption(&self) -> Option<Interruption> {
        self.interruption
    }

    /// Counts the records if there are few. A refused write does not keep the count.
    async fn count_few<R: SqlKind>(&mut self) -> Result<Option<i64>, StorageError> {
        let Some(statements) = &R::statements(self.connection.engine()).bound else {
            return Ok(None);
        };
        let arguments = vec![Datum::of(&self.member.family), Datum::Integer(Some(self.counted))];
        let row = self.connection.find_row(&statements.count_few, arguments).await?;
        row.map(|row| Values::of(&row).take()).transpose()
    }

    /// Adds once what neither the trigger nor the statement that begins the transaction has added to the bound.
    async fn add_gained<R: SqlKind>(&mut self) -> Result<(), StorageError> {
        let gained = std::mem::take(&mut self.gained);
        if let Some(statements) = R::statements(self.connection.engine()).bound.as_ref().filter(|_| gained > 0) {
            let arguments = vec![Datum::of(&self.member.family), Datum::Integer(Some(gained))];
            self.connection.execute(&statements.raise, arguments).await?;
        }
        Ok(())
    }
}

impl<R: SqlKind> WriteSteps<R> for SqlSteps<'_> {
    async fn keep_answer(
        &mut self,
        answer: IdempotentAnswer,
        since: Timestamp,
    ) -> Result<Option<IdempotentAnswer>, StorageError> {
        if idempotency_keys::insert_answer(&mut self.connection, &self.member.family, &answer, since).await? {
            return Ok(None);
        }
        idempotency_keys::find_answer(&mut self.connection, &self.member.family, answer).await.map(Some)
    }

    async fn find_facts(&mut self, target: Target<'_, R>, now: Timestamp) -> Result<Option<R::Facts>, StorageError> {
        let Member { user, .. } = self.member;
        let mut arguments = Statements::arguments::<R>(self.member, target.id());
        arguments.extend(R::facts_arguments(&target, user));
        let Statements { facts, new_facts, .. } = R::statements(self.connection.engine());
        let sql = if matches!(target, Target::Stored(..)) { facts } else { new_facts };
        let Some(row) = self.connection.find_row(sql, arguments).await? else {
            return Ok(None);
        };
        let mut values = Values::of(&row);
        self.begin_log(values.take()?);
        self.log.seen_before = values.take()?;
        self.bound = values.take()?;
        if R::statements(self.connection.engine()).bound.is_some() {
            self.last_count = LastCount(values.take()?);
            self.is_count_due = self.bound.is_none() || record_bound::is_count_due(self.last_count, now);
        }
        R::read_facts(&mut values, &target, &Creation { user, now })
    }

    async fn has_room(&mut self, growth: Growth, max: u32) -> Result<bool, StorageError> {
        let most = i64::from(max) - i64::from(growth.counted()) + self.counted;
        if self.bound.is_none() {
            self.bound = self.count_few::<R>().await?;
        }
        let has_room = self.bound.is_some_and(|bound| bound <= most);
        if !has_room && self.is_count_due {
            self.interruption = Some(Interruption::Count(self.last_count));
            return Err(StorageError::unavailable("the records are not counted yet"));
        }
        self.gained = match self.connection.engine() {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite => growth.blocks.into(),
            #[cfg(feature = "postgres")]
            Engine::Postgres => i64::from(growth.counted()) - self.counted,
        };
        Ok(has_room)
    }

    async fn release_blocks(&mut self, blocks: u32) -> Result<(), StorageError> {
        record_bound::lower::<R>(&mut self.connection, &self.member.family, blocks as usize).await
    }

    async fn insert(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        self.add_gained::<R>().await?;
        let record = R::output(write.clone());
        let mut arguments = vec![Datum::of(&self.member.family)];
        arguments.extend(StoredFields::values(&record));
        Ok(self.connection.execute(&R::statements(self.connection.engine()).insert, arguments).await? > 0)
    }

    async fn update(&mut self, write: &R::Write) -> Result<bool, StorageError> {
        match R::make_room(&mut self.connection, self.member, write, self.resumed).await? {
            RoomMade::Free => {}
            RoomMade::Shifted(shifted) => self.log.shifted = Some(shifted),
            RoomMade::Spread => self.log.has_gap = true,
            RoomMade::Rest(rest) => {
                self.interruption = Some(Interruption::Spread(rest));
                return Err(StorageError::unavailable("there is no room yet"));
            }
        }
        self.add_gained::<R>().await?;
        let record = R::output(write.clone());
        let mut arguments = Statements::arguments::<R>(self.member, record.id());
        arguments.extend(updated_values(&record, R::FIXED));
        Ok(self.connection.execute(&R::statements(self.connection.engine()).update, arguments).await? > 0)
    }

    async fn delete(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let arguments = Statements::arguments::<R>(self.member, id);
        Ok(self.connection.execute(&R::statements(self.connection.engine()).delete, arguments).await? > 0)
    }

    async fn find_deleted(&mut self, id: &R::Id, since: Timestamp) -> Result<Option<String>, StorageError> {
        let id = Datum::Text(Some(id.text()));
        deleted_records::find_deleted(&mut self.connection, &self.member.family, R::KIND, id, since).await
    }

    async fn keep_deleted(&mut self, deleted: DeletedRecord) -> Result<(), StorageError> {
        deleted_records::insert_deleted(&mut self.connection, &self.member.family, &[deleted]).await
    }

    async fn log(&mut self, id: &R::Id, _: Option<&R>, is_new: bool, now: Timestamp) -> Result<(), StorageError> {
        let sql = &R::statements(self.connection.engine()).log;
        self.log.add::<R>(&mut self.connection, sql, &self.member.family, id, is_new, now).await
    }

    async fn forget_deleted(&mut self, id: &R::Id) -> Result<bool, StorageError> {
        let id = Datum::Text(Some(id.text()));
        deleted_records::delete_deleted(&mut self.connection, &self.member.family, R::KIND, id).await
    }
}

impl CheckedItemSteps for SqlSteps<'_> {
    async fn find_checked_items(&mut self, list: &ListId) -> Result<Option<Vec<ShoppingItem>>, StorageError> {
        let found = shopping::find_checked_items(&mut self.connection, self.member, list).await?;
        Ok(found.map(|CheckedItems { revision, items }| {
            self.begin_log(revision);
            self.checked = items;
            self.checked.iter().map(|(item, _)| item.clone()).collect()
        }))
    }

    async fn delete_items(&mut self, items: Vec<DeletedRecord>, blocks: u32) -> Result<(), StorageError> {
        WriteSteps::<ShoppingItem>::release_blocks(self, blocks).await?;
        shopping::delete_items(&mut self.connection, &self.member.family, &items).await?;
        deleted_records::insert_deleted(&mut self.connection, &self.member.family, &items).await?;
        let Some(now) = items.first().map(|item| item.deleted_at) else { return Ok(()) };
        let (family, since) = (&self.member.family, self.log.since);
        changes::log_deleted_items(&mut self.connection, family, since, &self.checked, now).await
    }
}

/// The statements that find and store records of a kind.
pub(crate) struct Statements {
    /// Returns the revision, who sees the record, the bound or the count of the records of the kind, the records that
    /// the rules need, and the record `$2`, if the user sees it.
    pub(crate) facts: String,
    /// Returns the same for a record that is not stored, and looks up neither the record nor what it refers to. On
    /// PostgreSQL, this takes a third less CPU time.
    pub(crate) new_facts: String,
    pub(crate) insert: String,
    pub(crate) update: String,
    pub(crate) delete: String,
    /// Adds a change to the log.
    pub(crate) log: String,
    /// Finds changed records.
    pub(crate) find_records: String,
    /// `None` if the [facts](Self::facts) count the records.
    pub(crate) bound: Option<BoundStatements>,
}

impl Statements {
    pub(crate) fn of<R: SqlKind>(engine: Engine) -> Self {
        let table = R::TABLE.name;
        let visible = visible::<R>();
        let empty = R::EMPTY.map(|condition| format!(" AND {condition}")).unwrap_or_default();
        let names: Vec<_> = R::COLUMNS.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let values: Vec<_> = (2..2 + names.len()).map(|number| format!("${number}")).collect();
        Self {
            facts: find_facts::<R>(engine, true),
            new_facts: find_facts::<R>(engine, false),
            insert: format!(
                "INSERT INTO {table} (family_id, {names}) VALUES ($1, {values}) ON CONFLICT DO NOTHING",
                names = names.join(", "),
                values = values.join(", "),
            ),
            update: format!(
                "UPDATE {table} AS t SET {assignments} WHERE t.family_id = $1 AND t.id = $2{visible}",
                assignments = assignments::<R>(R::FIXED, first_number::<R>()),
            ),
            delete: format!("DELETE FROM {table} AS t WHERE t.family_id = $1 AND t.id = $2{visible}{empty}"),
            log: changes::log_sql::<R>(),
            find_records: changes::find_records_sql::<R>(),
            bound: BoundStatements::of::<R>(engine),
        }
    }

    /// Returns the arguments with which every statement begins, except for the insertion.
    fn arguments<'a, R: SqlKind>(member: &'a Member, id: &'a R::Id) -> Vec<Datum<'a>> {
        let mut arguments = vec![Datum::of(&member.family), Datum::Text(Some(id.text()))];
        if R::VISIBLE.is_some() {
            arguments.push(Datum::of(&member.user));
        }
        arguments
    }
}

/// Returns the condition that the user sees the record `t`.
fn visible<R: SqlKind>() -> String {
    R::VISIBLE.map(|condition| format!(" AND {condition}")).unwrap_or_default()
}

fn find_facts<R: SqlKind>(engine: Engine, is_stored: bool) -> String {
    let of_record = |sql: String| if is_stored { sql } else { String::new() };
    let author_join = |column| {
        let stored = of_record(format!("t.{column}, "));
        let number = first_number::<R>();
        format!("LEFT JOIN users author ON author.id = coalesce({stored}${number}, '') AND author.family_id = $1")
    };
    format!(
        "SELECT f.revision, {audience}, {bound}{author}{named}{record}
        FROM families f
        {record_joins}
        {author_join}
        {named_joins}
        WHERE f.id = $1",
        audience = if is_stored { R::AUDIENCE } else { "NULL" },
        bound = record_bound::expression::<R>(engine),
        author = R::AUTHOR.map(|_| Selected::Person("author").sql()).unwrap_or_default(),
        named = R::NAMED.columns(),
        record = of_record(format!(", {}{}", columns::<R>("t"), R::REFERENCED.columns())),
        record_joins = of_record(format!(
            "LEFT JOIN {table} t ON t.family_id = $1 AND t.id = $2{visible} {joins}",
            table = R::TABLE.name,
            visible = visible::<R>(),
            joins = R::REFERENCED.joins,
        )),
        author_join = R::AUTHOR.map(author_join).unwrap_or_default(),
        named_joins = R::NAMED.joins,
    )
}

/// Returns the number of the first argument after those of [`Statements::arguments`].
const fn first_number<R: SqlKind>() -> usize {
    if R::VISIBLE.is_some() { 4 } else { 3 }
}

impl Joined {
    pub(crate) fn columns(&self) -> String {
        self.columns.iter().map(Selected::sql).collect()
    }
}

impl Selected {
    fn sql(&self) -> String {
        match self {
            Self::Person(table) => format!(", {}", columns::<Person>(table)),
            Self::Category(table) => format!(", {}", columns::<NoteCategory>(table)),
            Self::Expression(expression) => format!(", {expression}"),
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use family_api_core::for_each_kind;

    /// Returns whether the statements that find the facts look up the record.
    fn lookups<R: SqlKind>(engine: Engine) -> [bool; 2] {
        let Statements { facts, new_facts, .. } = R::statements(engine);
        [facts, new_facts].map(|sql| sql.contains(&format!(" {} t ON", R::TABLE.name)) || sql.contains(" t."))
    }

    #[test]
    fn a_record_that_is_not_stored_is_not_looked_up() {
        macro_rules! lookups_of_each_kind {
            ($engine:ident $($method:ident: $Record:ident,)*) => {
                [$(lookups::<family_api_core::resource::$Record>($engine)),*]
            };
        }
        for engine in Engine::ALL.iter().copied() {
            assert!(for_each_kind!(lookups_of_each_kind engine).iter().all(|lookups| *lookups == [true, false]));
        }
    }
}

//! The statements for the log of changes. SQLite and PostgreSQL execute the same text.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::for_each_kind;
use family_api_core::id::{ColumnId, FamilyId};
use family_api_core::resource::{AnyRecord, Person, RecordKind, Revision, ShoppingItem, Task};
use family_api_core::storage::value::{Datum, Value, Values};
use family_api_core::storage::{
    Audience, ChangesQuery, FollowedLog, FoundChanges, LogRange, LoggedChange, Member, StorageError,
};

use crate::batched_statement::BatchedStatement;
use crate::columns::columns;
use crate::sql_connection::SqlConnection;
use crate::visible::is_member;
use crate::writes::SqlKind;

/// Returns the revision of the family `$1` and the rows of its log after the revision `$3`: whole transactions, until
/// there are `$4` rows and one more. Returns a row of `NULL` if there are none, and no row if `$2` is not a member.
pub(crate) const FIND_LOG: &str = concat!(
    "SELECT f.revision, c.since, c.revision, c.ordinal, c.kind, c.id, c.seen_before, c.seen_after, c.changed_at
    FROM families f
    LEFT JOIN changes c ON c.family_id = $1 AND c.revision > $3 AND c.revision <= coalesce((
        SELECT l.revision FROM changes l WHERE l.family_id = $1 AND l.revision > $3
        ORDER BY l.revision, l.ordinal LIMIT 1 OFFSET $4
    ), 9223372036854775807)
    WHERE f.id = $1 AND ",
    is_member!("$2" of "$1"),
    " ORDER BY c.revision, c.ordinal"
);

/// Maximum number of records that one statement finds. All of them can have the longest text.
const RECORDS_PER_STATEMENT: usize = 32;

/// Returns the statement that finds records of a kind by their ids `$2`, `$4` and so on, as the user `$3` sees them.
pub(crate) fn find_records_sql<R: SqlKind>() -> String {
    let ids = (1..RECORDS_PER_STATEMENT).map(|number| format!(", ${}", number + 3)).collect::<Vec<_>>().concat();
    format!(
        "SELECT {columns}{author}{referenced}
        FROM {table} t {author_join} {joins}
        WHERE t.family_id = $1 AND t.id IN ($2{ids}) AND {is_member}{visible}",
        columns = columns::<R>("t"),
        author = R::AUTHOR.map(|_| format!(", {}", columns::<Person>("author"))).unwrap_or_default(),
        referenced = R::REFERENCED.columns(),
        table = R::TABLE.name,
        author_join = R::AUTHOR
            .map(|column| format!("LEFT JOIN users author ON author.id = t.{column} AND author.family_id = $1"))
            .unwrap_or_default(),
        joins = R::REFERENCED.joins,
        is_member = is_member!("$3" of "$1"),
        visible = R::VISIBLE.map(|condition| format!(" AND {condition}")).unwrap_or_default(),
    )
}

/// Adds a change of the record `$2` to the log: `$3` is the revision before the transaction, `$4` the number of the
/// change, `$5` who saw the record before it, and `$6` its instant.
pub(crate) fn log_sql<R: SqlKind>() -> String {
    format!(
        "INSERT INTO changes (family_id, since, revision, ordinal, kind, id, seen_before, seen_after, changed_at)
        SELECT f.id, $3, f.revision, $4, '{kind}', $2, $5,
               (SELECT {audience} FROM {table} t WHERE t.family_id = $1 AND t.id = $2), $6
        FROM families f WHERE f.id = $1",
        kind = R::KIND.as_str(),
        audience = R::AUDIENCE,
        table = R::TABLE.name,
    )
}

/// Adds the tasks of the column `$2` from the position `$5` to `$6`, except for the task `$7`, to the log.
static LOG_SHIFTED: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"INSERT INTO changes (family_id, since, revision, ordinal, kind, id, seen_before, seen_after, changed_at)
        SELECT f.id, $3, f.revision, row_number() OVER (ORDER BY s."order", s.id) - 1, 'task', s.id, s.seen, s.seen, $4
        FROM families f
        JOIN (
            SELECT t.id, t."order", {audience} AS seen FROM tasks t
            WHERE t.family_id = $1 AND t.column_id = $2 AND t."order" BETWEEN $5 AND $6 AND t.id <> $7
        ) AS s ON TRUE
        WHERE f.id = $1"#,
        audience = Task::AUDIENCE,
    )
});

/// Adds deleted shopping items to the log.
static LOG_DELETED_ITEMS: LazyLock<BatchedStatement> = LazyLock::new(|| {
    BatchedStatement::of(|count| {
        let firsts = (0..count).map(|row| 3 * row + 4);
        let rows = firsts.map(|first| format!("(${first}, ${}, ${})", first + 1, first + 2));
        format!(
            "INSERT INTO changes (family_id, since, revision, ordinal, kind, id, seen_before, seen_after, changed_at)
            SELECT f.id, $2, f.revision, v.column1, 'shopping_item', v.column2, v.column3, NULL, $3
            FROM families f JOIN (VALUES {}) AS v ON TRUE WHERE f.id = $1",
            rows.collect::<Vec<_>>().join(", ")
        )
    })
});

/// The log of a write in progress.
#[derive(Default)]
pub(crate) struct Log {
    /// The revision before the transaction.
    pub(crate) since: i64,
    /// Who saw the record before the write.
    pub(crate) seen_before: Option<String>,
    /// Other tasks that have got another position.
    pub(crate) shifted: Option<Shifted>,
    /// Whether the write has changed more records than the log gets. Then the log gets none of them, and has a gap.
    pub(crate) has_gap: bool,
    next_ordinal: i64,
}

/// The tasks of a column from one position to another, except for the task that has moved there.
pub(crate) struct Shifted {
    pub(crate) column: ColumnId,
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Log {
    /// Adds a record, after the tasks that the write has shifted.
    pub(crate) async fn add<R: SqlKind>(
        &mut self,
        connection: &mut impl SqlConnection,
        sql: &'static str,
        family: &FamilyId,
        id: &R::Id,
        is_new: bool,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        if self.has_gap {
            return Ok(());
        }
        let integer = |number: i64| Datum::Integer(Some(number));
        let id = Datum::Text(Some(family_api_core::id::Id::text(id)));
        if let Some(Shifted { column, first, last }) = self.shifted.take() {
            let mut arguments = vec![Datum::of(family), Datum::of(&column), integer(self.since), Datum::of(&now)];
            arguments.extend([integer(first), integer(last), id.clone()]);
            let shifted = connection.execute(&LOG_SHIFTED, arguments).await?;
            self.next_ordinal = shifted.try_into().map_err(StorageError::corrupt)?;
        }
        let seen_before = self.seen_before.as_deref().filter(|_| !is_new);
        let mut arguments = vec![Datum::of(family), id, integer(self.since), integer(self.next_ordinal)];
        arguments.extend([Datum::Text(seen_before), Datum::of(&now)]);
        self.next_ordinal += 1;
        connection.execute(sql, arguments).await?;
        Ok(())
    }
}

/// Adds deleted items to the log, each with who saw it.
pub(crate) async fn log_deleted_items(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    since: i64,
    items: &[(ShoppingItem, String)],
    now: Timestamp,
) -> Result<(), StorageError> {
    let numbered: Vec<_> = (0..).zip(items).collect();
    for (sql, part) in LOG_DELETED_ITEMS.split(&numbered) {
        let mut arguments = vec![Datum::of(family), Datum::Integer(Some(since)), Datum::of(&now)];
        for (ordinal, (item, seen)) in part {
            arguments.extend([Datum::Integer(Some(*ordinal)), Datum::of(&item.id), Datum::of(seen)]);
        }
        connection.execute(sql, arguments).await?;
    }
    Ok(())
}

/// Lists the changes since a revision. The records are read after the log, so they can be newer.
pub(crate) async fn list_changes(
    connection: &mut impl SqlConnection,
    member: &Member,
    query: &ChangesQuery,
) -> Result<FoundChanges, StorageError> {
    let Some(range) = find_log(connection, member, query).await? else {
        return Ok(FoundChanges::Expired);
    };
    let Some(mut followed) = range.follow(&member.user, query) else {
        return Ok(FoundChanges::Expired);
    };
    macro_rules! add_each_kind {
        ($($method:ident: $Record:ident,)*) => {
            $(add_visible::<family_api_core::resource::$Record>(connection, member, &mut followed).await?;)*
        };
    }
    for_each_kind!(add_each_kind);
    Ok(followed.finish())
}

/// Returns `None` if the user has left the family.
async fn find_log(
    connection: &mut impl SqlConnection,
    member: &Member,
    query: &ChangesQuery,
) -> Result<Option<LogRange>, StorageError> {
    let offset = i64::from(query.limit).saturating_sub(1);
    let numbers = [query.since.get(), offset].map(|number| Datum::Integer(Some(number)));
    let arguments = [Datum::of(&member.family), Datum::of(&member.user)].into_iter().chain(numbers).collect();
    let found = connection.find_rows(FIND_LOG, arguments).await?;
    let mut range = None;
    for row in &found {
        let mut values = Values::of(row);
        let current = Revision::new(values.take()?);
        let LogRange { rows, .. } = range.get_or_insert(LogRange { rows: Vec::new(), current });
        let Some(since) = values.take::<Option<i64>>()? else { continue };
        let (since, revision) = (Revision::new(since), Revision::new(values.take()?));
        let ordinal: i64 = values.take()?;
        let kind: String = values.take()?;
        rows.push(LoggedChange {
            since,
            revision,
            ordinal: ordinal.try_into().map_err(StorageError::corrupt)?,
            kind: record_kind(&kind)?,
            id: values.take()?,
            seen_before: audience(values.take()?)?,
            seen_after: audience(values.take()?)?,
            changed_at: values.take()?,
        });
    }
    Ok(range)
}

fn record_kind(name: &str) -> Result<RecordKind, StorageError> {
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.as_str() == name);
    kind.ok_or_else(|| StorageError::corrupt("a change of an unknown kind"))
}

fn audience(text: Option<String>) -> Result<Option<Audience>, StorageError> {
    text.map(|text| Audience::from_text(&text)).transpose()
}

/// Adds the records of a kind that the member sees.
async fn add_visible<R: SqlKind + Into<AnyRecord>>(
    connection: &mut impl SqlConnection,
    member: &Member,
    followed: &mut FollowedLog,
) -> Result<(), StorageError> {
    let ids: Vec<_> = followed.ids(R::KIND).map(str::to_owned).collect();
    let sql = &R::statements(connection.engine()).find_records;
    for ids in ids.chunks(RECORDS_PER_STATEMENT) {
        // A statement has one number of arguments, so the rest are `NULL`.
        let mut ids = ids.iter().map(Some).chain(std::iter::repeat(None)).map(Value::datum);
        let mut arguments = vec![Datum::of(&member.family)];
        arguments.extend(ids.next());
        arguments.push(Datum::of(&member.user));
        arguments.extend(ids.take(RECORDS_PER_STATEMENT - 1));
        for row in connection.find_rows(sql, arguments).await? {
            followed.add(R::read_joined(&mut Values::of(&row))?)?;
        }
        if followed.is_too_large() {
            break;
        }
    }
    Ok(())
}

/// Deletes the changes of records that only this user saw. Another user can get the id.
pub(crate) const DELETE_PRIVATE_CHANGES: &str =
    "DELETE FROM changes WHERE family_id = $1 AND (seen_before = '=' || $2 OR seen_after = '=' || $2)";

pub(crate) const FIND_OLD_CHANGES: &str = "
    SELECT family_id, CAST(revision AS TEXT), changed_at FROM changes WHERE changed_at <= $1 ORDER BY changed_at LIMIT $2";

/// Returns the changes of the family `$1` before the last `$2`, and the others of their transactions, at most `$3`, the
/// earliest first.
pub(crate) const FIND_SURPLUS_CHANGES: &str = "
    SELECT family_id, CAST(revision AS TEXT), changed_at FROM changes
    WHERE family_id = $1 AND revision <= (
        SELECT revision FROM changes WHERE family_id = $1 ORDER BY revision DESC, ordinal DESC LIMIT 1 OFFSET $2
    )
    ORDER BY revision, ordinal LIMIT $3";

/// Deletes a transaction.
pub(crate) const PURGE_CHANGES: &str = "DELETE FROM changes WHERE family_id = $1 AND revision = CAST($2 AS BIGINT)";

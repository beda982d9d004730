//! The list of deleted records that a member can restore: the statement.

use family_api_core::Timestamp;
use family_api_core::resource::RecordKind;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{Member, RestorableEntry, RestorableQuery, StorageError};

use crate::sql_connection::SqlConnection;
use crate::visible::{is_member, visible};

/// How a database reads the JSON of a deleted record `d`.
pub(crate) struct DeletedJson {
    /// The JSON value.
    pub(crate) value: &'static str,
    /// The condition that the record is private.
    pub(crate) is_private: &'static str,
}

const IN_VISIBLE_COLUMN: &str = concat!(
    "AND EXISTS (
    SELECT 1 FROM columns c JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
    WHERE c.family_id = $1 AND c.id = {json} ->> 'columnId' AND ",
    visible!(board "b" for "$2"),
    ")",
);

const IN_VISIBLE_LIST: &str = concat!(
    "AND EXISTS (
    SELECT 1 FROM shopping_lists l
    WHERE l.family_id = $1 AND l.id = {json} ->> 'listId' AND ",
    visible!(list "l" for "$2"),
    ")",
);

/// Returns the statement. Each kind reads the index of its deletions backwards, until it has a page. The range of a kind
/// that is not asked for is empty. If its condition was false instead, the planner of PostgreSQL would remove the table,
/// and Citus could not find the shard.
///
/// `$1` is the family, `$2` the user, `$3` the earliest instant, `$4` and `$5` the position, `$6` the limit and `$7` the
/// kind.
pub(crate) fn list_restorable_sql(json: &DeletedJson) -> String {
    let DeletedJson { value, is_private } = json;
    let is_visible = format!("AND (NOT coalesce({is_private}, FALSE) OR d.owner_user_id = $2)");
    let of_kind = |kind: &str, title: &str, condition: &str| {
        format!(
            "SELECT * FROM (
                SELECT d.kind, d.id, {value} ->> '{title}' AS title, d.deleted_at FROM deleted_records d
                WHERE d.family_id = $1 AND d.kind = '{kind}' AND d.deleted_at <= $4 AND {is_member}
                  AND d.deleted_at > CASE WHEN coalesce($7, '{kind}') = '{kind}' THEN $3 ELSE $4 END
                  AND (d.deleted_at < $4 OR '{kind} ' || d.id < $5)
                  {}
                ORDER BY d.deleted_at DESC, d.id DESC LIMIT $6
            ) AS {kind}s",
            condition.replace("{json}", value),
            is_member = is_member!("$2" of "$1"),
        )
    };
    let kinds = [
        of_kind("task", "title", &format!("{is_visible} {IN_VISIBLE_COLUMN}")),
        of_kind("shopping_item", "name", &format!("{is_visible} {IN_VISIBLE_LIST}")),
        of_kind("note", "title", ""),
        of_kind("event", "title", ""),
    ];
    format!("{} ORDER BY 4 DESC, 1 DESC, 2 DESC LIMIT $6", kinds.join(" UNION ALL "))
}

pub(crate) async fn list_restorable(
    connection: &mut impl SqlConnection,
    sql: &'static str,
    member: &Member,
    query: &RestorableQuery,
) -> Result<Vec<RestorableEntry>, StorageError> {
    let (until, record) = match &query.after {
        Some(after) => (after.deleted_at, after.record.as_str()),
        None => (Timestamp::MAX, ""),
    };
    let arguments = vec![
        Datum::of(&member.family),
        Datum::of(&member.user),
        Datum::of(&query.since),
        Datum::of(&until),
        Datum::Text(Some(record)),
        Datum::Integer(Some(query.limit.into())),
        Datum::Text(query.kind.map(RecordKind::as_str)),
    ];
    let rows = connection.find_rows(sql, arguments).await?;
    let entries = rows.iter().map(|row| {
        let mut values = Values::of(row);
        let kind: String = values.take()?;
        Ok(RestorableEntry {
            kind: restorable_kind(&kind)?,
            id: values.take()?,
            title: values.take()?,
            deleted_at: values.take()?,
        })
    });
    entries.collect()
}

/// Parses the name of a restorable kind of record.
fn restorable_kind(name: &str) -> Result<RecordKind, StorageError> {
    let mut kinds = RecordKind::ALL.into_iter().filter(|kind| kind.is_restorable());
    kinds.find(|kind| kind.as_str() == name).ok_or_else(|| StorageError::corrupt("a deleted record of another kind"))
}

//! The statements for deleted records, and for the answers to creations with an idempotency key. SQLite and PostgreSQL
//! execute the same text.

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::key::KeyDigest;
use family_api_core::resource::RecordKind;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{DeletedRecord, DeletedRecordLimit, IdempotentAnswer, Member, StorageError};

use crate::batched_statement::BatchedStatement;
use crate::sql_connection::SqlConnection;

const FIND_DELETED: &str = "
    SELECT record FROM deleted_records WHERE family_id = $1 AND kind = $2 AND id = $3 AND deleted_at > $4";

static INSERT_DELETED: LazyLock<BatchedStatement> = LazyLock::new(|| BatchedStatement::of(insert_deleted_sql));

fn insert_deleted_sql(count: usize) -> String {
    let firsts = (0..count).map(|row| 4 * row + 2);
    let rows = firsts.map(|first| format!("($1, ${first}, ${}, ${}, ${})", first + 1, first + 2, first + 3));
    format!(
        "INSERT INTO deleted_records (family_id, kind, id, record, deleted_at) VALUES {}
        ON CONFLICT (family_id, kind, id) DO UPDATE SET record = excluded.record, deleted_at = excluded.deleted_at",
        rows.collect::<Vec<_>>().join(", ")
    )
}

const DELETE_DELETED: &str = "DELETE FROM deleted_records WHERE family_id = $1 AND kind = $2 AND id = $3";

const FIND_ANSWER: &str = "
    SELECT request, record_id, created_at FROM idempotency_keys
    WHERE family_id = $1 AND user_id = $2 AND key = $3";

/// Inserts an answer, or replaces the answer with the same user and key that was given at `$8` or earlier.
const INSERT_ANSWER: &str = "
    INSERT INTO idempotency_keys (family_id, user_id, key, request, kind, record_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (family_id, user_id, key) DO UPDATE
    SET request = excluded.request, kind = excluded.kind, record_id = excluded.record_id,
        created_at = excluded.created_at
    WHERE idempotency_keys.created_at <= $8";

/// Deletes a deleted record, unless it was restored and deleted again at another instant.
const PURGE_DELETED: &str = "
    DELETE FROM deleted_records WHERE family_id = $1 AND kind = $2 AND id = $3 AND deleted_at = $4";

/// Deletes an answer, unless it was replaced at another instant.
const PURGE_ANSWER: &str = "
    DELETE FROM idempotency_keys WHERE family_id = $1 AND user_id = $2 AND key = $3 AND created_at = $4";

const FIND_OLD_DELETED: &str = "
    SELECT family_id, kind, id, deleted_at FROM deleted_records WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT $2";

/// Returns the deleted records of the family `$1` and the kind `$2` beyond the `$3` newest or the newest `$4` bytes, at
/// most `$5`, the oldest first. Neither database reads a long text to find its length.
const FIND_SURPLUS_DELETED: &str = "
    SELECT family_id, kind, id, deleted_at FROM (
        SELECT family_id, kind, id, deleted_at, row_number() OVER newest AS records,
               sum(octet_length(record)) OVER newest AS bytes
        FROM deleted_records WHERE family_id = $1 AND kind = $2
        WINDOW newest AS (ORDER BY deleted_at DESC, id DESC ROWS UNBOUNDED PRECEDING)
    ) AS counted
    WHERE records > $3 OR bytes > $4 ORDER BY deleted_at, id LIMIT $5";

const FIND_OLD_ANSWERS: &str = "
    SELECT family_id, user_id, key, created_at FROM idempotency_keys
    WHERE created_at <= $1 ORDER BY created_at LIMIT $2";

/// Returns the answers to the user `$2` in the family `$1` beyond the `$3` newest, at most `$4`, the oldest first.
const FIND_SURPLUS_ANSWERS: &str = "
    SELECT family_id, user_id, key, created_at FROM idempotency_keys
    WHERE family_id = $1 AND user_id = $2 AND (created_at, key) <= (
        SELECT created_at, key FROM idempotency_keys WHERE family_id = $1 AND user_id = $2
        ORDER BY created_at DESC, key DESC LIMIT 1 OFFSET $3
    )
    ORDER BY created_at, key LIMIT $4";

/// Returns the statements that look up by family.
#[cfg(test)]
pub(crate) fn statements() -> [&'static str; 7] {
    [FIND_DELETED, DELETE_DELETED, FIND_ANSWER, PURGE_DELETED, PURGE_ANSWER, FIND_SURPLUS_DELETED, FIND_SURPLUS_ANSWERS]
}

/// Returns whether a statement that looks up by family sorts.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) fn sorts(statement: &str) -> bool {
    [FIND_SURPLUS_DELETED, FIND_SURPLUS_ANSWERS].contains(&statement)
}

/// Returns the statements that look up by age, each with its column.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) fn statements_by_age() -> [(&'static str, &'static str); 2] {
    [(FIND_OLD_DELETED, "deleted_at"), (FIND_OLD_ANSWERS, "created_at")]
}

fn deleted<'a>(family: &'a FamilyId, kind: RecordKind, id: Datum<'a>) -> Vec<Datum<'a>> {
    vec![Datum::of(family), Datum::Text(Some(kind.as_str())), id]
}

/// Returns the JSON of a record that was deleted after `since`.
pub(crate) async fn find_deleted(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    kind: RecordKind,
    id: Datum<'_>,
    since: Timestamp,
) -> Result<Option<String>, StorageError> {
    let mut arguments = deleted(family, kind, id);
    arguments.push(Datum::of(&since));
    let row = connection.find_row(FIND_DELETED, arguments).await?;
    row.map(|row| Values::of(&row).take()).transpose()
}

pub(crate) async fn insert_deleted(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    records: &[DeletedRecord],
) -> Result<(), StorageError> {
    for (sql, records) in INSERT_DELETED.split(records) {
        let mut arguments = vec![Datum::of(family)];
        for DeletedRecord { kind, id, record, deleted_at } in records {
            let kind = Datum::Text(Some(kind.as_str()));
            arguments.extend([kind, Datum::of(id), Datum::of(record), Datum::of(deleted_at)]);
        }
        connection.execute_any(sql, arguments).await?;
    }
    Ok(())
}

/// Returns whether there was a deleted record.
pub(crate) async fn delete_deleted(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    kind: RecordKind,
    id: Datum<'_>,
) -> Result<bool, StorageError> {
    connection.execute_any(DELETE_DELETED, deleted(family, kind, id)).await
}

/// Returns the stored answer with the user and the key of `answer`.
pub(crate) async fn find_answer(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    answer: IdempotentAnswer,
) -> Result<IdempotentAnswer, StorageError> {
    let arguments = vec![Datum::of(family), Datum::of(&answer.user_id), Datum::of(&answer.key)];
    let row = connection.find_row(FIND_ANSWER, arguments).await?;
    let row = row.ok_or_else(|| StorageError::backend("a stored answer was not found"))?;
    let mut values = Values::of(&row);
    Ok(IdempotentAnswer {
        request: *values.take::<KeyDigest>()?.as_bytes(),
        id: values.take()?,
        created_at: values.take()?,
        ..answer
    })
}

/// Inserts an answer, or replaces the stored answer with the same user and key. Returns `false` if the stored answer
/// was given after `since`.
pub(crate) async fn insert_answer(
    connection: &mut impl SqlConnection,
    family: &FamilyId,
    answer: &IdempotentAnswer,
    since: Timestamp,
) -> Result<bool, StorageError> {
    let arguments = vec![
        Datum::of(family),
        Datum::of(&answer.user_id),
        Datum::of(&answer.key),
        Datum::Bytes(Some(&answer.request)),
        Datum::Text(Some(answer.kind.as_str())),
        Datum::of(&answer.id),
        Datum::of(&answer.created_at),
        Datum::of(&since),
    ];
    connection.execute_any(INSERT_ANSWER, arguments).await
}

/// Which deleted records or answers are deleted for ever.
#[derive(Clone, Copy)]
pub(crate) enum KeptPurge<'a> {
    /// The records that were deleted at the instant or earlier.
    OldRecords(Timestamp),
    /// The deleted records of a kind in the family except for the newest within the limit. The oldest are
    /// deleted first.
    SurplusRecords(&'a FamilyId, RecordKind, DeletedRecordLimit),
    /// The answers that were given at the instant or earlier.
    OldAnswers(Timestamp),
    /// The answers to the member except for the newest. The oldest are deleted first.
    SurplusAnswers(&'a Member, u32),
}

/// A row to delete: the three columns of its primary key, and its instant.
type KeptRow = ([String; 3], Timestamp);

impl KeptPurge<'_> {
    /// Finds rows to delete. Sorts them, so that two purges lock them in the same order.
    pub(crate) async fn find(
        &self,
        connection: &mut impl SqlConnection,
        limit: u32,
    ) -> Result<Vec<KeptRow>, StorageError> {
        let number = |number: u32| Datum::Integer(Some(number.into()));
        let (sql, mut arguments) = match self {
            Self::OldRecords(until) => (FIND_OLD_DELETED, vec![Datum::of(until)]),
            Self::SurplusRecords(family, kind, keep) => {
                let kind = Datum::Text(Some(kind.as_str()));
                let bytes = Datum::Integer(Some(keep.bytes.try_into().unwrap_or(i64::MAX)));
                (FIND_SURPLUS_DELETED, vec![Datum::of(*family), kind, number(keep.records), bytes])
            }
            Self::OldAnswers(until) => (FIND_OLD_ANSWERS, vec![Datum::of(until)]),
            Self::SurplusAnswers(Member { family, user }, keep) => {
                (FIND_SURPLUS_ANSWERS, vec![Datum::of(family), Datum::of(user), number(*keep)])
            }
        };
        arguments.push(number(limit));
        let mut rows = Vec::new();
        for row in connection.find_rows(sql, arguments).await? {
            let mut values = Values::of(&row);
            rows.push(([values.take()?, values.take()?, values.take()?], values.take()?));
        }
        rows.sort_unstable();
        Ok(rows)
    }

    /// Deletes the rows, and returns their number. Skips a row that has changed since it was found.
    pub(crate) async fn delete(
        &self,
        connection: &mut impl SqlConnection,
        rows: &[KeptRow],
    ) -> Result<u64, StorageError> {
        let sql = match self {
            Self::OldRecords(_) | Self::SurplusRecords(..) => PURGE_DELETED,
            Self::OldAnswers(_) | Self::SurplusAnswers(..) => PURGE_ANSWER,
        };
        let mut deleted = 0;
        for (key, at) in rows {
            let arguments = key.iter().map(Datum::of).chain([Datum::of(at)]).collect();
            deleted += u64::from(connection.execute_any(sql, arguments).await?);
        }
        Ok(deleted)
    }
}

//! The statements for idempotency keys, each with the answer to the creation that used it. SQLite and PostgreSQL
//! execute the same text.

use family_api_core::Timestamp;
use family_api_core::id::FamilyId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{IdempotentAnswer, StorageError};

use crate::sql_connection::SqlConnection;

pub(crate) const FIND_ANSWER: &str = "
    SELECT request, record_id, created_at FROM idempotency_keys
    WHERE family_id = $1 AND user_id = $2 AND key = $3";

/// Inserts an answer, or replaces the answer with the same user and key that was given at `$8` or earlier.
pub(crate) const INSERT_ANSWER: &str = "
    INSERT INTO idempotency_keys (family_id, user_id, key, request, kind, record_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (family_id, user_id, key) DO UPDATE
    SET request = excluded.request, kind = excluded.kind, record_id = excluded.record_id,
        created_at = excluded.created_at
    WHERE idempotency_keys.created_at <= $8";

/// Deletes an answer, unless it was replaced at another instant.
pub(crate) const PURGE_ANSWER: &str = "
    DELETE FROM idempotency_keys WHERE family_id = $1 AND user_id = $2 AND key = $3 AND created_at = $4";

pub(crate) const FIND_OLD_ANSWERS: &str = "
    SELECT family_id, user_id, key, created_at FROM idempotency_keys
    WHERE created_at <= $1 ORDER BY created_at LIMIT $2";

/// Returns the answers to the user `$2` in the family `$1` beyond the `$3` newest, at most `$4`, the oldest first.
pub(crate) const FIND_SURPLUS_ANSWERS: &str = "
    SELECT family_id, user_id, key, created_at FROM idempotency_keys
    WHERE family_id = $1 AND user_id = $2 AND (created_at, key) <= (
        SELECT created_at, key FROM idempotency_keys WHERE family_id = $1 AND user_id = $2
        ORDER BY created_at DESC, key DESC LIMIT 1 OFFSET $3
    )
    ORDER BY created_at, key LIMIT $4";

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
    Ok(connection.execute(INSERT_ANSWER, arguments).await? > 0)
}

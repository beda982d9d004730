//! Conversion of rows to records. An invalid value is [`StorageError::Corrupt`].

use std::error::Error;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use sqlx::error::UnexpectedNullError;
use sqlx::sqlite::SqliteRow;
use sqlx::{ColumnIndex, Decode, Row, Sqlite, Type};

use crate::key::{IntegrationKey, KeyMode, ScopeSet};
use crate::resource::Revision;
use crate::storage::sqlite::error::fault;
use crate::storage::{Account, Membership, StorageError};

/// Returns a value of a type that SQLite supports. `NULL` is [`StorageError::Corrupt`].
///
/// All values are read through this function. If a type is not an `Option`, sqlx decodes SQLite's `NULL` as 0, an empty
/// string or `false`.
pub(super) fn get<'r, T>(row: &'r SqliteRow, column: impl ColumnIndex<SqliteRow>) -> Result<T, StorageError>
where
    T: Decode<'r, Sqlite> + Type<Sqlite>,
{
    get_nullable(row, column)?.ok_or_else(|| StorageError::corrupt(UnexpectedNullError))
}

/// Returns a value of a type that SQLite supports, or `None` for `NULL`.
pub(super) fn get_nullable<'r, T>(
    row: &'r SqliteRow,
    column: impl ColumnIndex<SqliteRow>,
) -> Result<Option<T>, StorageError>
where
    T: Decode<'r, Sqlite> + Type<Sqlite>,
{
    row.try_get(column).map_err(fault)
}

/// Parses a value that is stored as text.
pub(super) fn parse<T>(row: &SqliteRow, column: &str) -> Result<T, StorageError>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    get::<&str>(row, column)?.parse().map_err(StorageError::corrupt)
}

/// Parses a value that is stored as text, or returns `None` for `NULL`.
pub(super) fn parse_nullable<T>(row: &SqliteRow, column: &str) -> Result<Option<T>, StorageError>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    get_nullable(row, column)?.map(str::parse).transpose().map_err(StorageError::corrupt)
}

/// Deserializes a value that is stored or built as JSON.
pub(super) fn json<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<T, StorageError> {
    serde_json::from_str(get(row, column)?).map_err(StorageError::corrupt)
}

/// Deserializes a value that is stored or built as JSON, or returns `None` for `NULL`.
pub(super) fn json_nullable<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<Option<T>, StorageError> {
    get_nullable(row, column)?.map(serde_json::from_str).transpose().map_err(StorageError::corrupt)
}

/// Returns a key from the columns of `integration_keys`.
pub(super) fn key(row: &SqliteRow) -> Result<IntegrationKey, StorageError> {
    let scopes: ScopeSet = json(row, "scopes")?;
    Ok(IntegrationKey {
        id: parse(row, "id")?,
        mode: KeyMode::from_scopes(&scopes),
        scopes,
        name: get_nullable(row, "name")?,
        hint: get(row, "hint")?,
        created_at: parse(row, "created_at")?,
        expires_at: parse_nullable(row, "expires_at")?,
        last_used_at: parse_nullable(row, "last_used_at")?,
    })
}

/// Returns an account from the columns `user_id`, `family_id`, `revision`, `personal_api_enabled` and `time_zone`.
/// Returns `None` if `user_id` is `NULL`.
pub(super) fn account(row: &SqliteRow) -> Result<Option<Account>, StorageError> {
    let Some(user) = parse_nullable(row, "user_id")? else {
        return Ok(None);
    };
    let membership = match parse_nullable(row, "family_id")? {
        Some(family) => Some(Membership { family, revision: Some(Revision::new(get(row, "revision")?)) }),
        None => None,
    };
    Ok(Some(Account {
        user,
        membership,
        personal_api_enabled: get(row, "personal_api_enabled")?,
        zone: parse(row, "time_zone")?,
    }))
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use sqlx::{Connection, SqliteConnection};

    use super::*;

    fn assert_corrupt<T: Debug>(value: &Result<T, StorageError>) {
        assert!(matches!(value, Err(StorageError::Corrupt(_))), "{value:?}");
    }

    #[tokio::test]
    async fn null_is_never_decoded_as_a_value() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let row = sqlx::query("SELECT NULL AS missing").fetch_one(&mut connection).await.unwrap();
        assert_corrupt(&get::<i64>(&row, "missing"));
        assert_corrupt(&get::<bool>(&row, "missing"));
        assert_corrupt(&get::<&str>(&row, 0));
        assert_corrupt(&get::<&[u8]>(&row, 0));
        assert_corrupt(&json::<serde_json::Value>(&row, "missing"));
        assert_eq!(get_nullable::<i64>(&row, "missing").unwrap(), None);
    }
}

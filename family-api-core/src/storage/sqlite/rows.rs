//! Rows become records; what a record cannot be is [`StorageError::Corrupt`].

use std::error::Error;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row, Sqlite, Type};

use crate::key::{IntegrationKey, KeyMode, ScopeSet};
use crate::resource::Revision;
use crate::storage::sqlite::error::fault;
use crate::storage::{Account, Membership, StorageError};

/// A value that SQLite has a type for.
pub(super) fn get<'r, T>(row: &'r SqliteRow, column: &str) -> Result<T, StorageError>
where
    T: Decode<'r, Sqlite> + Type<Sqlite>,
{
    row.try_get(column).map_err(fault)
}

/// A value that is kept as text.
pub(super) fn parse<T>(row: &SqliteRow, column: &str) -> Result<T, StorageError>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    get::<&str>(row, column)?.parse().map_err(StorageError::corrupt)
}

/// A value that is kept as text, or `NULL`.
pub(super) fn parse_nullable<T>(row: &SqliteRow, column: &str) -> Result<Option<T>, StorageError>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    get::<Option<&str>>(row, column)?.map(str::parse).transpose().map_err(StorageError::corrupt)
}

/// A value that is kept, or was put together, as JSON.
pub(super) fn json<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<T, StorageError> {
    serde_json::from_str(get(row, column)?).map_err(StorageError::corrupt)
}

/// A value that is kept, or was put together, as JSON, or `NULL`.
pub(super) fn json_nullable<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<Option<T>, StorageError> {
    get::<Option<&str>>(row, column)?.map(serde_json::from_str).transpose().map_err(StorageError::corrupt)
}

/// A key, from the columns of `integration_keys`.
pub(super) fn key(row: &SqliteRow) -> Result<IntegrationKey, StorageError> {
    let scopes: ScopeSet = json(row, "scopes")?;
    Ok(IntegrationKey {
        id: parse(row, "id")?,
        mode: KeyMode::of(&scopes),
        scopes,
        name: get(row, "name")?,
        hint: get(row, "hint")?,
        created_at: parse(row, "created_at")?,
        expires_at: parse_nullable(row, "expires_at")?,
        last_used_at: parse_nullable(row, "last_used_at")?,
    })
}

/// An account, from `user_id`, `family_id`, `revision`, `personal_api_enabled` and `time_zone`; `None` without a user.
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

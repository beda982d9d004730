//! Conversion of rows to records. An invalid value is [`StorageError::Corrupt`].

use std::error::Error;
use std::str::FromStr;

use sqlx::postgres::PgRow;
use sqlx::{Decode, Postgres, Row, Type};

use crate::key::{IntegrationKey, KeyMode, Scope, ScopeSet};
use crate::resource::Revision;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::{Account, Membership, StorageError};
use crate::timestamp::Timestamp;

/// Reads the values of a row, in the order of the statement's columns.
pub(super) struct Values<'r> {
    row: &'r PgRow,
    next: usize,
}

impl<'r> Values<'r> {
    pub(super) fn of(row: &'r PgRow) -> Self {
        Self { row, next: 0 }
    }

    /// Returns the next value without advancing.
    pub(super) fn peek<T>(&self) -> Result<T, StorageError>
    where
        T: Decode<'r, Postgres> + Type<Postgres>,
    {
        self.row.try_get(self.next).map_err(fault)
    }

    /// Returns the next value, of a type that PostgreSQL supports.
    pub(super) fn take<T>(&mut self) -> Result<T, StorageError>
    where
        T: Decode<'r, Postgres> + Type<Postgres>,
    {
        let value = self.peek()?;
        self.next += 1;
        Ok(value)
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.next += count;
    }

    /// Parses the next value, which is stored as text.
    pub(super) fn parse<T>(&mut self) -> Result<T, StorageError>
    where
        T: FromStr<Err: Error + Send + Sync + 'static>,
    {
        self.take::<&str>()?.parse().map_err(StorageError::corrupt)
    }

    /// Parses the next value, which is stored as text, or returns `None` for `NULL`.
    pub(super) fn parse_nullable<T>(&mut self) -> Result<Option<T>, StorageError>
    where
        T: FromStr<Err: Error + Send + Sync + 'static>,
    {
        self.take::<Option<&str>>()?.map(str::parse).transpose().map_err(StorageError::corrupt)
    }

    pub(super) fn timestamp(&mut self) -> Result<Timestamp, StorageError> {
        Ok(self.take::<PgTimestamp>()?.0)
    }

    pub(super) fn timestamp_nullable(&mut self) -> Result<Option<Timestamp>, StorageError> {
        Ok(self.take::<Option<PgTimestamp>>()?.map(|timestamp| timestamp.0))
    }
}

/// Decodes a record from each row. The first column is the record's id. If the family has no records, the statement
/// returns one row, whose id is `NULL`.
pub(super) fn records<T>(
    rows: &[PgRow],
    record: impl Fn(&mut Values<'_>) -> Result<T, StorageError>,
) -> Result<Vec<T>, StorageError> {
    let mut records = Vec::with_capacity(rows.len());
    for row in rows {
        let mut values = Values::of(row);
        if values.peek::<Option<&str>>()?.is_some() {
            records.push(record(&mut values)?);
        }
    }
    Ok(records)
}

/// Returns the revision, which is the last column of each row. If the family does not exist, there is no row and no
/// revision.
pub(super) fn revision(rows: &[PgRow]) -> Result<Option<Revision>, StorageError> {
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let number: Option<i64> = row.try_get(row.len() - 1).map_err(fault)?;
    Ok(number.map(Revision::new))
}

/// The columns of [`key`].
macro_rules! key_columns {
    () => {
        "k.id, k.name, k.hint, k.scopes, k.created_at, k.expires_at, k.last_used_at"
    };
}

/// Returns a key from its [`key_columns`].
pub(super) fn key(values: &mut Values<'_>) -> Result<IntegrationKey, StorageError> {
    let id = values.parse()?;
    let (name, hint) = (values.take()?, values.take()?);
    let scopes: ScopeSet = values.take::<Vec<String>>()?.into_iter().map(Scope::from).collect();
    Ok(IntegrationKey {
        id,
        mode: KeyMode::from_scopes(&scopes),
        scopes,
        name,
        hint,
        created_at: values.timestamp()?,
        expires_at: values.timestamp_nullable()?,
        last_used_at: values.timestamp_nullable()?,
    })
}

/// The columns of [`account`], without those of the family.
macro_rules! account_columns {
    () => {
        "u.id, u.personal_api_enabled, u.time_zone"
    };
}

/// Returns an account from its [`account_columns`], or `None` if the user's id is `NULL`.
pub(super) fn account(
    values: &mut Values<'_>,
    membership: Option<Membership>,
) -> Result<Option<Account>, StorageError> {
    let Some(user) = values.parse_nullable()? else {
        return Ok(None);
    };
    Ok(Some(Account { user, membership, personal_api_enabled: values.take()?, zone: values.parse()? }))
}

/// Returns an account without revision, from the id of its family and its [`account_columns`].
pub(super) fn member_account(values: &mut Values<'_>) -> Result<Option<Account>, StorageError> {
    let family = values.parse_nullable()?;
    account(values, family.map(|family| Membership { family, revision: None }))
}

/// Returns a membership from a family's id and revision, or `None` if the family's id is `NULL`.
pub(super) fn membership(values: &mut Values<'_>) -> Result<Option<Membership>, StorageError> {
    let Some(family) = values.parse_nullable()? else {
        values.skip(1);
        return Ok(None);
    };
    Ok(Some(Membership { family, revision: Some(Revision::new(values.take()?)) }))
}

pub(super) use {account_columns, key_columns};

//! The values of the fields that [`StoredFields`] declares, and the rows that they are read from.
//!
//! A storage visits a declaration in one of two ways. It writes the [values](StoredFields::values), each a [`Datum`], as
//! the arguments of a statement or as JSON. Or it implements [`StoredRow`] for the rows of its database, and reads a
//! record from the [`Values`] of a row.

use std::io;

use serde::{Serialize, Serializer};

use crate::Surface;
use crate::Timestamp;
use crate::calendar::{Zone, ZoneName};
use crate::connection::Misuse;
use crate::grant::{CodeChallenge, RotationNonce};
use crate::id::{GrantId, UserId};
use crate::key::{KeyDigest, Scope, ScopeSet};
use crate::occurrences::Overrides;
use crate::resource::Priority;
use crate::storage::table::TableColumn;
use crate::storage::{Password, PasswordHash, StorageError};

/// A record whose stored fields are declared once, with `record!` or `stored_fields!`.
pub trait StoredFields: Sized {
    /// The columns, one for each declared field, in the order of the declaration.
    const COLUMNS: &'static [TableColumn];

    /// Reads the values of the columns. Fields that are not declared get the value that the declaration gives them.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if a value is invalid.
    fn read(values: &mut Values<'_, impl StoredRow>) -> Result<Self, StorageError>;

    /// Returns the values of the columns.
    fn values(&self) -> Vec<Datum<'_>>;

    /// Returns the record with its declared fields only: without the records that it refers to or contains.
    #[must_use]
    fn bare(&self) -> Self;
}

/// How a value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A text.
    Text,
    /// An integer of 64 bits.
    Integer,
    /// A boolean.
    Boolean,
    /// An instant, in milliseconds.
    Instant,
    /// A list of texts.
    Texts,
    /// A list, as the text of its JSON. `NULL` if the list is empty.
    Json,
    /// 32 bytes. Hexadecimal in JSON.
    Digest,
    /// The hash of a password. It is not a column, but stored in the table `passwords`.
    Password,
}

/// A value as it is stored. `None` is `NULL`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum<'a> {
    /// A text.
    Text(Option<&'a str>),
    /// An integer of 64 bits.
    Integer(Option<i64>),
    /// A boolean.
    Boolean(Option<bool>),
    /// An instant, in milliseconds.
    Instant(Option<Timestamp>),
    /// A list of texts.
    Texts(Option<Vec<&'a str>>),
    /// The JSON of a list. `None` if the list is empty.
    Json(Option<String>),
    /// 32 bytes.
    Bytes(Option<&'a [u8; 32]>),
}

impl<'a> Datum<'a> {
    /// Returns a value as it is stored.
    pub fn of<V: Value>(value: &'a V) -> Self {
        V::datum(Some(value))
    }

    /// Returns the size of a text or of a list as JSON, in bytes. 0 for `NULL` and for other values.
    #[must_use]
    pub fn json_bytes(&self) -> usize {
        let mut counter = ByteCounter(0);
        let written = match self {
            Self::Text(Some(text)) => serde_json::to_writer(&mut counter, text),
            Self::Texts(Some(texts)) => serde_json::to_writer(&mut counter, texts),
            Self::Json(Some(json)) => return json.len(),
            _ => Ok(()),
        };
        written.map_or(0, |()| counter.0)
    }
}

/// Counts the bytes that are written to it.
struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes instants as RFC 3339, bytes in hexadecimal, and JSON as a text that contains it.
impl Serialize for Datum<'_> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(output),
            Self::Integer(integer) => integer.serialize(output),
            Self::Boolean(boolean) => boolean.serialize(output),
            Self::Instant(instant) => instant.serialize(output),
            Self::Texts(texts) => texts.serialize(output),
            Self::Json(json) => json.serialize(output),
            Self::Bytes(bytes) => bytes.map(hex::encode).serialize(output),
        }
    }
}

/// A row, whose columns are read by their position. Every method returns `None` for `NULL`.
pub trait StoredRow {
    /// Reads a text.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    fn text(&self, position: usize) -> Result<Option<&str>, StorageError>;

    /// Reads an integer.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    fn integer(&self, position: usize) -> Result<Option<i64>, StorageError>;

    /// Reads a boolean.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    fn boolean(&self, position: usize) -> Result<Option<bool>, StorageError>;

    /// Reads an instant.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    fn instant(&self, position: usize) -> Result<Option<Timestamp>, StorageError>;

    /// Reads a list of texts.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    fn texts(&self, position: usize) -> Result<Option<Vec<String>>, StorageError>;

    /// Reads bytes.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    fn bytes(&self, position: usize) -> Result<Option<&[u8]>, StorageError>;
}

/// Reads the values of a row, in the order of the statement's columns.
#[derive(Debug)]
pub struct Values<'r, R> {
    row: &'r R,
    next: usize,
}

impl<'r, R: StoredRow> Values<'r, R> {
    /// Begins at the first column.
    pub const fn of(row: &'r R) -> Self {
        Self { row, next: 0 }
    }

    /// Returns the next value, a text, without advancing.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the column contains another value.
    pub fn peek(&self) -> Result<Option<&'r str>, StorageError> {
        self.row.text(self.next)
    }

    /// Returns the next value.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the value is invalid, or `NULL` unless the type is an `Option`.
    pub fn take<V: Value>(&mut self) -> Result<V, StorageError> {
        let value = V::read(self.row, self.next)?;
        self.next += 1;
        value.ok_or_else(|| StorageError::corrupt("NULL in a column that always has a value"))
    }

    /// Skips columns.
    pub const fn skip(&mut self, count: usize) {
        self.next += count;
    }

    /// Reads a record from its columns. Returns `None` if its id is `NULL`, because no row was joined.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if a value is invalid.
    pub fn joined<T: StoredFields>(&mut self) -> Result<Option<T>, StorageError> {
        if self.peek()?.is_some() {
            return T::read(self).map(Some);
        }
        self.skip(T::COLUMNS.len());
        Ok(None)
    }
}

/// A type of values that a storage keeps in a column.
pub trait Value: Sized {
    /// How the values are stored.
    const TYPE: Type;

    /// Reads a column. Returns `None` for `NULL`.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the value is invalid.
    fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError>;

    /// Returns the value as it is stored, or `NULL` for `None`.
    fn datum(value: Option<&Self>) -> Datum<'_>;
}

/// Implements [`Value`] for types that are stored alike. `$read` converts what [`StoredRow`] returns, and `$write` a
/// reference to the value.
macro_rules! values {
    ($($type:ident($method:ident, $read:expr, $write:expr): $($value:ty)*;)*) => {$($(
        impl Value for $value {
            const TYPE: Type = Type::$type;

            fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError> {
                row.$method(position)?.map($read).transpose()
            }

            fn datum(value: Option<&Self>) -> Datum<'_> {
                Datum::$type(value.map($write))
            }
        }
    )*)*};
}

values! {
    Text(text, |text| text.parse().map_err(StorageError::corrupt), Self::as_str): String Zone GrantId;
    Text(text, |text| Ok(ZoneName::stored(text.to_owned())), Self::as_str): ZoneName;
    Text(text, |text| text.parse().map_err(StorageError::corrupt), |priority| priority.as_str()): Priority;
    Text(text, |text| named(text, Self::ALL, Self::as_str), |misuse| misuse.as_str()): Misuse;
    Text(text, |text| named(text, Self::ALL, surface_name), |surface| surface_name(*surface)): Surface;
    Integer(integer, Ok, |value| *value): i64;
    Integer(integer, |value| value.try_into().map_err(StorageError::corrupt), |value| i64::from(*value)): u32;
    Boolean(boolean, Ok, |value| *value): bool;
    Instant(instant, Ok, |value| *value): Timestamp;
    Texts(texts, Ok, |value| value.iter().map(String::as_str).collect()): Vec<String>;
    Texts(
        texts,
        |scopes| Ok(scopes.into_iter().map(Scope::from).collect()),
        |value| value.iter().map(Scope::as_str).collect()
    ): ScopeSet;
}

/// Finds the value with a stored name.
fn named<T: Copy>(
    text: &str,
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> Result<T, StorageError> {
    let value = all.into_iter().find(|value| name(*value) == text);
    value.ok_or_else(|| StorageError::corrupt("an unknown name"))
}

fn surface_name(surface: Surface) -> &'static str {
    match surface {
        Surface::V1 => "v1",
        Surface::ReadPath => "read_path",
    }
}

impl<V: Value> Value for Option<V> {
    const TYPE: Type = V::TYPE;

    fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError> {
        V::read(row, position).map(Some)
    }

    fn datum(value: Option<&Self>) -> Datum<'_> {
        V::datum(value.and_then(Option::as_ref))
    }
}

/// Implements [`Value`] for types that consist of 32 bytes.
macro_rules! bytes_values {
    ($($value:ty)*) => {$(
        impl Value for $value {
            const TYPE: Type = Type::Digest;

            fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError> {
                let bytes = row.bytes(position)?.map(TryInto::try_into).transpose().map_err(StorageError::corrupt)?;
                Ok(bytes.map(Self::from_bytes))
            }

            fn datum(value: Option<&Self>) -> Datum<'_> {
                Datum::Bytes(value.map(Self::as_bytes))
            }
        }
    )*};
}

bytes_values! { KeyDigest CodeChallenge RotationNonce }

impl Value for Overrides {
    const TYPE: Type = Type::Json;

    fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError> {
        let overrides = row.text(position)?.map(str::parse).transpose().map_err(StorageError::corrupt)?;
        Ok(Some(overrides.unwrap_or_default()))
    }

    fn datum(value: Option<&Self>) -> Datum<'_> {
        Datum::Json(value.filter(|overrides| !overrides.is_empty()).map(Self::to_string))
    }
}

impl Value for Vec<UserId> {
    const TYPE: Type = Type::Json;

    fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError> {
        let ids = row.text(position)?.map(serde_json::from_str).transpose().map_err(StorageError::corrupt)?;
        Ok(Some(ids.unwrap_or_default()))
    }

    fn datum(value: Option<&Self>) -> Datum<'_> {
        let ids = value.filter(|ids| !ids.is_empty());
        Datum::Json(ids.map(|ids| json_of_ids(ids)))
    }
}

/// Returns the JSON of ids, of which no character is escaped.
fn json_of_ids(ids: &[UserId]) -> String {
    format!(r#"["{}"]"#, ids.iter().map(UserId::as_str).collect::<Vec<_>>().join(r#"",""#))
}

/// A plain password is never stored: it is `NULL`.
impl Value for Password {
    const TYPE: Type = Type::Password;

    fn read(row: &impl StoredRow, position: usize) -> Result<Option<Self>, StorageError> {
        let hash = row.text(position)?.map(|hash| PasswordHash::new(hash.to_owned()));
        Ok(Some(hash.map_or(Self::None, Self::Hashed)))
    }

    fn datum(value: Option<&Self>) -> Datum<'_> {
        Datum::Text(match value {
            Some(Self::Hashed(hash)) => Some(hash.expose()),
            _ => None,
        })
    }
}

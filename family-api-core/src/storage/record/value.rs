//! The values of the columns.

use serde::{Serialize, Serializer};

use crate::calendar::Zone;
use crate::grant::{CodeChallenge, Misuse, RotationNonce};
use crate::id::Id;
use crate::key::{KeyDigest, Scope, ScopeSet};
use crate::resource::Priority;
use crate::storage::sql::{Argument, SqlRow};
use crate::storage::{Password, PasswordHash, StorageError};
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// How a value is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::storage) enum Type {
    Text,
    Integer,
    Boolean,
    Instant,
    /// A list of texts.
    Texts,
    /// 32 bytes. Hexadecimal in a row.
    Digest,
    /// The hash of a password. It is not a column, but stored in the table `passwords`.
    Password,
}

/// A type of the fields of records.
pub(in crate::storage) trait Value {
    const TYPE: Type;

    /// Serializes the value for a row.
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error>;
}

/// A value that statements read from a column and pass as an argument.
pub(in crate::storage) trait ColumnValue: Sized {
    /// Reads a column. Returns `None` for `NULL`.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] if the value is invalid.
    fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError>;

    /// Returns the value as an argument, or `NULL` for `None`.
    fn argument(value: Option<&Self>) -> Argument<'_>;
}

/// Serializes a record as its row: an array of the values of the columns.
pub(super) struct Row<'r, R>(pub(super) &'r R);

/// Serializes a value for a row.
pub(super) struct Json<'v, V>(pub(super) &'v V);

impl<V: Value> Serialize for Json<'_, V> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(output)
    }
}

/// Implements [`Value`] for types that a row of a load contains in the form that serde writes, and [`ColumnValue`].
/// `$read` converts the value that [`SqlRow`] returns, and `$write` a reference to the value.
macro_rules! values {
    ($($type:ident($method:ident, $read:expr, $write:expr): $($value:ty)*;)*) => {$($(
        impl Value for $value {
            const TYPE: Type = Type::$type;

            fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                Serialize::serialize(self, output)
            }
        }

        impl ColumnValue for $value {
            fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
                row.$method(position)?.map($read).transpose()
            }

            fn argument(value: Option<&Self>) -> Argument<'_> {
                Argument::$type(value.map($write))
            }
        }
    )*)*};
}

values! {
    Text(text, |text| text.parse().map_err(StorageError::corrupt), Self::as_str):
        String Zone;
    Text(text, |text| text.parse().map_err(StorageError::corrupt), |priority| priority.as_str()): Priority;
    Integer(integer, Ok, |value| *value): i64;
    Boolean(boolean, Ok, |value| *value): bool;
    Instant(instant, Ok, |value| *value): Timestamp;
    Texts(texts, Ok, |value| value.iter().map(String::as_str).collect()): Vec<String>;
    Texts(
        texts,
        |scopes| Ok(scopes.into_iter().map(Scope::from).collect()),
        |value| value.iter().map(Scope::as_str).collect()
    ): ScopeSet;
}

impl<I: Id> Value for I {
    const TYPE: Type = Type::Text;

    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(self.text())
    }
}

impl<I: Id> ColumnValue for I {
    fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
        row.text(position)?.map(str::parse).transpose().map_err(StorageError::corrupt)
    }

    fn argument(value: Option<&Self>) -> Argument<'_> {
        Argument::Text(value.map(Id::text))
    }
}

impl<V: Value> Value for Option<V> {
    const TYPE: Type = V::TYPE;

    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.serialize(output),
            None => output.serialize_none(),
        }
    }
}

impl<V: ColumnValue> ColumnValue for Option<V> {
    fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
        V::read(row, position).map(Some)
    }

    fn argument(value: Option<&Self>) -> Argument<'_> {
        V::argument(value.and_then(Option::as_ref))
    }
}

/// Implements [`ColumnValue`] for types that consist of 32 bytes.
macro_rules! bytes_values {
    ($($value:ty)*) => {$(
        impl ColumnValue for $value {
            fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
                let bytes = row.bytes(position)?.map(TryInto::try_into).transpose().map_err(StorageError::corrupt)?;
                Ok(bytes.map(Self::from_bytes))
            }

            fn argument(value: Option<&Self>) -> Argument<'_> {
                Argument::Bytes(value.map(Self::as_bytes))
            }
        }
    )*};
}

bytes_values! { KeyDigest CodeChallenge RotationNonce }

impl ColumnValue for Misuse {
    fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
        let Some(name) = row.text(position)? else {
            return Ok(None);
        };
        let misuse = Self::ALL.into_iter().find(|misuse| misuse.as_str() == name);
        misuse.map(Some).ok_or_else(|| StorageError::corrupt("an unknown misuse"))
    }

    fn argument(value: Option<&Self>) -> Argument<'_> {
        Argument::Text(value.map(|misuse| misuse.as_str()))
    }
}

impl ColumnValue for Surface {
    fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
        let Some(name) = row.text(position)? else {
            return Ok(None);
        };
        let surface = Self::ALL.into_iter().find(|surface| surface_name(*surface) == name);
        surface.map(Some).ok_or_else(|| StorageError::corrupt("an unknown surface"))
    }

    fn argument(value: Option<&Self>) -> Argument<'_> {
        Argument::Text(value.copied().map(surface_name))
    }
}

fn surface_name(surface: Surface) -> &'static str {
    match surface {
        Surface::V1 => "v1",
        Surface::ReadPath => "read_path",
    }
}

impl ColumnValue for Password {
    fn read(row: &impl SqlRow, position: usize) -> Result<Option<Self>, StorageError> {
        let hash = row.text(position)?.map(|hash| PasswordHash::new(hash.to_owned()));
        Ok(Some(hash.map_or(Self::None, Self::Hashed)))
    }

    fn argument(value: Option<&Self>) -> Argument<'_> {
        Argument::Text(match value {
            Some(Self::Hashed(hash)) => Some(hash.expose()),
            _ => None,
        })
    }
}

impl Value for KeyDigest {
    const TYPE: Type = Type::Digest;

    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(&hex::encode(self.as_bytes()))
    }
}

impl Value for Password {
    const TYPE: Type = Type::Password;

    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self.hash().map_err(serde::ser::Error::custom)? {
            Some(hash) => output.serialize_str(hash.expose()),
            None => output.serialize_none(),
        }
    }
}

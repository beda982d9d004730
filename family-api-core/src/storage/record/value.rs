//! The values of the columns.

use serde::{Serialize, Serializer};

use crate::calendar::Zone;
use crate::id::{BoardId, CategoryId, ColumnId, EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId};
use crate::key::{KeyDigest, ScopeSet};
use crate::resource::Priority;
use crate::storage::Password;
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

/// Serializes a record as its row: an array of the values of the columns.
pub(super) struct Row<'r, R>(pub(super) &'r R);

/// Serializes a value for a row.
pub(super) struct Json<'v, V>(pub(super) &'v V);

impl<V: Value> Serialize for Json<'_, V> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(output)
    }
}

/// Implements [`Value`] for types that a row contains in the form that serde writes.
macro_rules! values {
    ($($type:ident: $($value:ty)*;)*) => {$($(
        impl Value for $value {
            const TYPE: Type = Type::$type;

            fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                Serialize::serialize(self, output)
            }
        }
    )*)*};
}

values! {
    Text: String Zone Priority FamilyId UserId KeyId CategoryId NoteId BoardId ColumnId TaskId EventId ListId ItemId;
    Integer: i64;
    Boolean: bool;
    Instant: Timestamp;
    Texts: Vec<String> ScopeSet;
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

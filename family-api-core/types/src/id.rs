//! Opaque identifiers, one type for each kind of record (HTTP reference, "Identifiers").

use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// Maximum length of an identifier, in characters.
const MAX_LENGTH: usize = 64;

/// The text is not an identifier: 1–64 of the characters `A–Z a–z 0–9 _ -`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an identifier: 1 to 64 of A-Z a-z 0-9 _ -")]
pub struct InvalidId;

fn is_id(text: &str) -> bool {
    let is_id_byte = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    // Tests every byte, without an early end, so that the compiler can test many at once. A document has hundreds of
    // ids.
    let has_only_id_bytes = || text.bytes().map(is_id_byte).fold(true, |all, one| all & one);
    (1..=MAX_LENGTH).contains(&text.len()) && has_only_id_bytes()
}

/// An identifier of any type. Only this crate implements it.
pub trait Id:
    sealed::Sealed
    + Clone
    + Ord
    + fmt::Debug
    + fmt::Display
    + FromStr<Err = InvalidId>
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
    /// Returns the identifier as text.
    fn text(&self) -> &str;

    /// Creates a unique identifier: a UUIDv7 (RFC 9562) of the instant.
    ///
    /// `random` must come from a random source, and must be used only once.
    #[must_use]
    fn new_v7(at: Timestamp, random: [u8; 10]) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        ///
        /// 1–64 of the characters `A–Z a–z 0–9 _ -`, case-sensitive, ordered by code point.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(with = "crate::id::IdSchema"))]
        pub struct $name(String);

        impl $name {
            /// Returns the identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Creates a unique identifier: a UUIDv7 (RFC 9562) of the instant.
            ///
            /// `random` must come from a random source, and must be used only once.
            #[must_use]
            pub fn new_v7(at: Timestamp, random: [u8; 10]) -> Self {
                let millis = u64::try_from(at.as_millis()).unwrap_or(0);
                Self(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string())
            }
        }

        impl sealed::Sealed for $name {}

        impl Id for $name {
            fn text(&self) -> &str {
                &self.0
            }

            fn new_v7(at: Timestamp, random: [u8; 10]) -> Self {
                Self::new_v7(at, random)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                if is_id(&text) { Ok(Self(text)) } else { Err(InvalidId) }
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                text.to_owned().try_into()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )+};
}

ids! {
    /// Identifies a user.
    UserId
    /// Identifies a family.
    FamilyId
    /// Identifies an integration key. It contains no part of the secret.
    KeyId
    /// Identifies a grant: the connection of a user to an OAuth client.
    GrantId
    /// Identifies a calendar feed. It contains no part of the secret.
    FeedId
    /// Identifies a task board.
    BoardId
    /// Identifies a column of a board.
    ColumnId
    /// Identifies a task.
    TaskId
    /// Identifies a calendar event.
    EventId
    /// Identifies a shopping list.
    ListId
    /// Identifies an item of a shopping list.
    ItemId
    /// Identifies a note.
    NoteId
    /// Identifies a note category.
    CategoryId
}

macro_rules! only {
    ($($(#[$doc:meta])* $name:ident = $id:literal;)+) => {$(
        impl $name {
            $(#[$doc])*
            #[must_use]
            pub fn only() -> Self {
                Self($id.to_owned())
            }
        }
    )+};
}

only! {
    /// Returns the id of [`Board::only`](crate::resource::Board::only).
    BoardId = "tasks";
    /// Returns the id of [`Column::only`](crate::resource::Column::only).
    ColumnId = "tasks";
    /// Returns the id of [`ShoppingList::only`](crate::resource::ShoppingList::only).
    ListId = "shopping";
}

/// The identifier of the container of a blank record, before its creation sets the container.
pub(crate) trait Unassigned {
    /// Equals no identifier of a record, because it is empty.
    const UNASSIGNED: Self;
}

impl Unassigned for BoardId {
    const UNASSIGNED: Self = Self(String::new());
}

impl Unassigned for ColumnId {
    const UNASSIGNED: Self = Self(String::new());
}

impl Unassigned for ListId {
    const UNASSIGNED: Self = Self(String::new());
}

/// The JSON Schema of an identifier.
#[cfg(feature = "schema")]
pub(crate) struct IdSchema;

#[cfg(feature = "schema")]
impl schemars::JsonSchema for IdSchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_with_another_character_or_length_is_invalid() {
        assert!("a-Z_9".parse::<TaskId>().is_ok());
        assert!("x".repeat(64).parse::<TaskId>().is_ok());
        for bad in ["", "a b", "a/b", "é", "a\0", &"x".repeat(65)] {
            assert_eq!(bad.parse::<TaskId>(), Err(InvalidId), "{bad:?}");
        }
    }

    #[test]
    fn a_new_id_is_a_uuid_v7_and_sorts_by_time() {
        let earlier = KeyId::new_v7(Timestamp::from_millis(1_000).unwrap(), [255; 10]);
        let later = KeyId::new_v7(Timestamp::from_millis(1_001).unwrap(), [0; 10]);
        assert!(earlier < later);
        assert_eq!(earlier.as_str().as_bytes()[14], b'7');
        assert!(earlier.as_str().parse::<KeyId>().is_ok());
    }
}

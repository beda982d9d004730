//! A reference to a record in a body or path.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The JSON of an invalid reference. It is not empty, because `""` would clear the field.
const INVALID_ID: &str = " ";

/// A reference to a record by its id. A text that is not a valid id is treated as the id of a record that does not
/// exist (HTTP reference, "Identifiers").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference<I> {
    /// The id of a record, which may exist.
    Id(I),
    /// A text that is not a valid id.
    Invalid,
}

impl<I> Reference<I> {
    /// Returns the id, or `None` if the text is not a valid id.
    #[must_use]
    pub fn id(&self) -> Option<&I> {
        match self {
            Self::Id(id) => Some(id),
            Self::Invalid => None,
        }
    }
}

impl<I: FromStr> From<&str> for Reference<I> {
    fn from(text: &str) -> Self {
        text.parse().map_or(Self::Invalid, Self::Id)
    }
}

impl<I: Clone> From<&I> for Reference<I> {
    fn from(id: &I) -> Self {
        Self::Id(id.clone())
    }
}

impl<I: Serialize> Serialize for Reference<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Id(id) => id.serialize(serializer),
            Self::Invalid => serializer.serialize_str(INVALID_ID),
        }
    }
}

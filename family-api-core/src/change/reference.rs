//! A record that a body names.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// What is no identifier, and no blank either.
const NO_ID: &str = " ";

/// An id in a body is not text: what is no id names nothing, as an id of nothing does (HTTP reference, "Identifiers").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference<I> {
    /// Names a record, if there is one.
    To(I),
    /// Names nothing.
    Nothing,
}

impl<I> Reference<I> {
    /// The id to look for.
    #[must_use]
    pub fn id(&self) -> Option<&I> {
        match self {
            Self::To(id) => Some(id),
            Self::Nothing => None,
        }
    }
}

impl<I: FromStr> From<&str> for Reference<I> {
    fn from(text: &str) -> Self {
        text.parse().map_or(Self::Nothing, Self::To)
    }
}

impl<I: Clone> From<&I> for Reference<I> {
    fn from(id: &I) -> Self {
        Self::To(id.clone())
    }
}

impl<I: Serialize> Serialize for Reference<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::To(id) => id.serialize(serializer),
            Self::Nothing => serializer.serialize_str(NO_ID),
        }
    }
}

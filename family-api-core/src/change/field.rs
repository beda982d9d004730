//! What a change says of one field.

use serde::ser::Error;
use serde::{Serialize, Serializer};

/// A field that may be left, cleared or set; "left out" and `null` cannot be confused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// It was left out and stays as it is.
    #[default]
    Keep,
    /// It was `null`.
    Clear,
    /// It was given.
    Set(T),
}

impl<T> Field<T> {
    /// Whether it stays as it is.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// The value that was given, if one was, to look at.
    #[must_use]
    pub fn as_set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// The value that was given, if one was.
    #[must_use]
    pub fn set(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// What the field will hold, given what it holds.
    #[must_use]
    pub fn over(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

impl<T> Field<Option<T>> {
    /// Reads a blank (`""`) as `null`.
    #[must_use]
    pub fn blank_is_null(self) -> Field<T> {
        match self {
            Self::Keep => Field::Keep,
            Self::Clear | Self::Set(None) => Field::Clear,
            Self::Set(Some(value)) => Field::Set(value),
        }
    }
}

/// A value, or `null`; a field that is kept has no JSON, and whoever writes it leaves it out
/// ([`is_kept`](Field::is_kept)).
impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep => Err(S::Error::custom("a field that is kept is left out")),
            Self::Clear => serializer.serialize_none(),
            Self::Set(value) => value.serialize(serializer),
        }
    }
}

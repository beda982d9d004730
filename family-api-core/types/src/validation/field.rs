//! The change of a single field.

use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The change of a field that can be kept, cleared or set. It distinguishes an absent field from `null`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// Keeps the current value. The field is absent.
    #[default]
    Keep,
    /// Clears the field. The field is `null`.
    Clear,
    /// Sets the field to a new value.
    Set(T),
}

impl<T> Field<T> {
    /// Returns whether the field keeps its current value.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// Returns the new value, if there is one.
    #[must_use]
    pub fn set(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Applies the change to the current value and returns the result.
    #[must_use]
    pub fn apply_to(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// Sets the field.
impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

/// The change of a field of any type: [`Field`] if the field can be cleared, and [`Option`] otherwise.
pub(crate) trait FieldSlot {
    /// Returns whether the field keeps its current value.
    fn is_kept(&self) -> bool;
}

impl<T> FieldSlot for Field<T> {
    fn is_kept(&self) -> bool {
        self.is_kept()
    }
}

impl<T> FieldSlot for Option<T> {
    fn is_kept(&self) -> bool {
        self.is_none()
    }
}

impl<T> Field<Option<T>> {
    /// Converts `Set(None)`, the value of an empty string, to [`Clear`](Self::Clear).
    #[must_use]
    pub fn empty_as_clear(self) -> Field<T> {
        match self {
            Self::Keep => Field::Keep,
            Self::Clear | Self::Set(None) => Field::Clear,
            Self::Set(Some(value)) => Field::Set(value),
        }
    }
}

/// Serializes the value or `null`. A field that is kept has no JSON: the containing struct must skip it
/// ([`is_kept`](Field::is_kept)).
impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep => Err(S::Error::custom("a field that is kept must be skipped")),
            Self::Clear => serializer.serialize_none(),
            Self::Set(value) => value.serialize(serializer),
        }
    }
}

/// Deserializes a value or `null`. The containing struct must have a default for an absent field.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(input)?.map_or(Self::Clear, Self::Set))
    }
}

//! A record that a body names.

use std::str::FromStr;

/// An id in a body is not text: what is no id names nothing, as an id of nothing does (contract, section 6).
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

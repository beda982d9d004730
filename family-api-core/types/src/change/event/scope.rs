//! Which occurrences a change of an occurrence is for.

use std::str::FromStr;

use serde::Serialize;

/// The occurrences of a recurring event to which a change of one occurrence applies.
///
/// ```
/// use family_api_types::change::OccurrenceScope;
///
/// assert_eq!("all".parse(), Ok(OccurrenceScope::All));
/// assert_eq!(OccurrenceScope::default().as_str(), "this");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum OccurrenceScope {
    /// Only this occurrence.
    #[default]
    This,
    /// This occurrence and all later ones.
    Following,
    /// Every occurrence of the event.
    All,
}

/// The text names no scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `this`, `following` or `all`")]
pub struct UnknownOccurrenceScope;

impl OccurrenceScope {
    const ALL: [Self; 3] = [Self::This, Self::Following, Self::All];

    /// Returns the name in a query string.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::This => "this",
            Self::Following => "following",
            Self::All => "all",
        }
    }
}

impl FromStr for OccurrenceScope {
    type Err = UnknownOccurrenceScope;

    fn from_str(name: &str) -> Result<Self, UnknownOccurrenceScope> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name).ok_or(UnknownOccurrenceScope)
    }
}

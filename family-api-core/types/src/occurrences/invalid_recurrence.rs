//! The error of a recurrence that does not parse.

use std::borrow::Cow;

/// The text is not a supported recurrence. The message says what is expected, and never quotes the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct InvalidRecurrence(Cow<'static, str>);

impl InvalidRecurrence {
    /// Creates the error from a phrase that continues the word "expected".
    pub(super) fn expected(phrase: impl Into<Cow<'static, str>>) -> Self {
        Self(phrase.into())
    }
}

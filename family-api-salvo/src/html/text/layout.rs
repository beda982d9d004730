//! The texts that all pages share.

use serde::Deserialize;

/// The texts of the layout.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct LayoutText {
    /// The link for keyboards that skips the header.
    pub(crate) skip_to_content: &'static str,
    /// The name of the list of languages, for screen readers.
    pub(crate) languages: &'static str,
    /// The title of the page of keys and connections.
    #[cfg(any(feature = "pages", feature = "oauth"))]
    pub(crate) keys: &'static str,
    pub(crate) errors: ErrorsText,
}

/// The errors of any page.
#[derive(Debug, Default, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct ErrorsText {
    pub(crate) refused: Message,
    pub(crate) unavailable: Message,
    pub(crate) internal: Message,
}

/// What happened, and what the user can do.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct Message {
    pub(crate) title: &'static str,
    pub(crate) advice: &'static str,
}

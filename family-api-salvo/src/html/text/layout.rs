//! The texts that all pages share.

/// The texts of the layout.
#[derive(Debug)]
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
#[derive(Debug)]
pub(crate) struct ErrorsText {
    pub(crate) refused: Message,
    pub(crate) unavailable: Message,
    pub(crate) internal: Message,
}

/// What happened, and what the user can do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    pub(crate) title: &'static str,
    pub(crate) advice: &'static str,
}

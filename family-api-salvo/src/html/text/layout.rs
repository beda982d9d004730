//! The texts that all pages share.

/// The texts of the layout.
#[derive(Debug)]
pub(crate) struct LayoutText {
    /// The link for keyboards that skips the header.
    pub(crate) skip_to_content: &'static str,
    /// The name of the list of languages, for screen readers.
    pub(crate) languages: &'static str,
}

//! All texts of the pages, in all languages.
//!
//! Each page has a struct of texts. Each language is one file with one value of all structs, so the compiler reports a
//! missing text.

mod de;
#[cfg(feature = "pages")]
mod deleted;
mod en;
mod es;
#[cfg(feature = "pages")]
mod keys;
mod layout;
#[cfg(feature = "oauth")]
mod oauth;
mod uk;

#[cfg(feature = "pages")]
pub(crate) use deleted::DeletedText;
#[cfg(feature = "pages")]
pub(crate) use keys::{KeysText, ProblemsText};
pub(crate) use layout::{ErrorsText, LayoutText, Message};
#[cfg(feature = "oauth")]
pub(crate) use oauth::{ConsentText, OAuthErrorText, OAuthText};

use super::language::Language;

/// All texts of one language.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) layout: LayoutText,
    #[cfg(feature = "pages")]
    pub(crate) keys: KeysText,
    #[cfg(feature = "pages")]
    pub(crate) deleted: DeletedText,
    #[cfg(feature = "oauth")]
    pub(crate) oauth: OAuthText,
}

impl Text {
    /// Returns the texts of a language.
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &en::TEXT,
            Language::Ukrainian => &uk::TEXT,
            Language::Spanish => &es::TEXT,
            Language::German => &de::TEXT,
        }
    }
}

//! All texts of the pages, in all languages.
//!
//! Each page has a struct of texts. Each language is one file with one value of all structs, so the compiler reports a
//! missing text.

mod de;
mod en;
mod es;
#[cfg(feature = "pages")]
mod keys;
mod layout;
mod mode;
mod problem;
mod uk;

#[cfg(feature = "pages")]
pub(crate) use keys::{ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText};
pub(crate) use layout::LayoutText;
pub(crate) use mode::{ModeText, ModesText};
pub(crate) use problem::ProblemsText;

use super::language::Language;

/// All texts of one language.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) layout: LayoutText,
    pub(crate) modes: ModesText,
    pub(crate) problems: ProblemsText,
    #[cfg(feature = "pages")]
    pub(crate) keys: KeysText,
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

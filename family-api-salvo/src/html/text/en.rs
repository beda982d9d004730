//! The texts in English.

#[cfg(feature = "pages")]
use super::keys;
#[cfg(feature = "oauth")]
use super::oauth;
use super::{LayoutText, Text};

pub(super) const TEXT: Text = Text {
    layout: LayoutText { skip_to_content: "Skip to the content", languages: "Language" },
    #[cfg(feature = "pages")]
    keys: keys::en::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::en::TEXT,
};

//! The texts in German.

#[cfg(feature = "pages")]
use super::keys;
#[cfg(feature = "oauth")]
use super::oauth;
use super::{LayoutText, Text};

pub(super) const TEXT: Text = Text {
    layout: LayoutText { skip_to_content: "Zum Inhalt springen", languages: "Sprache" },
    #[cfg(feature = "pages")]
    keys: keys::de::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::de::TEXT,
};

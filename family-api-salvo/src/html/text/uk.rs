//! The texts in Ukrainian.

#[cfg(feature = "pages")]
use super::keys;
#[cfg(feature = "oauth")]
use super::oauth;
use super::{LayoutText, Text};

pub(super) const TEXT: Text = Text {
    layout: LayoutText { skip_to_content: "Перейти до вмісту", languages: "Мова" },
    #[cfg(feature = "pages")]
    keys: keys::uk::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::uk::TEXT,
};

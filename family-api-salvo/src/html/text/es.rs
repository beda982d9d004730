//! The texts in Spanish.

#[cfg(feature = "pages")]
use super::keys;
#[cfg(feature = "oauth")]
use super::oauth;
use super::{LayoutText, Text};

pub(super) const TEXT: Text = Text {
    layout: LayoutText { skip_to_content: "Ir al contenido", languages: "Idioma" },
    #[cfg(feature = "pages")]
    keys: keys::es::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::es::TEXT,
};

//! The texts in Spanish.

#[cfg(feature = "oauth")]
use super::oauth;
use super::{LayoutText, Text};

pub(super) const TEXT: Text = Text {
    layout: LayoutText { skip_to_content: "Ir al contenido", languages: "Idioma" },
    #[cfg(feature = "oauth")]
    oauth: oauth::es::TEXT,
};

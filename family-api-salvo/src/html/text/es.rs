//! The texts in Spanish.

use super::{LayoutText, Text};

pub(super) const TEXT: Text = Text { layout: LayoutText { skip_to_content: "Ir al contenido", languages: "Idioma" } };

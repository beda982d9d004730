//! The texts in German.

use super::{LayoutText, Text};

pub(super) const TEXT: Text =
    Text { layout: LayoutText { skip_to_content: "Zum Inhalt springen", languages: "Sprache" } };

//! The texts in English.

use super::{LayoutText, Text};

pub(super) const TEXT: Text =
    Text { layout: LayoutText { skip_to_content: "Skip to the content", languages: "Language" } };

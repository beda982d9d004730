//! The texts in Ukrainian.

use super::{LayoutText, Text};

pub(super) const TEXT: Text =
    Text { layout: LayoutText { skip_to_content: "Перейти до вмісту", languages: "Мова" } };

//! The texts in English.

#[cfg(feature = "oauth")]
use super::oauth;
use super::{ErrorsText, LayoutText, Message, Text};
#[cfg(feature = "pages")]
use super::{deleted, keys};

pub(super) const TEXT: Text = Text {
    layout: LayoutText {
        skip_to_content: "Skip to the content",
        languages: "Language",
        #[cfg(any(feature = "pages", feature = "oauth"))]
        keys: "Programs and assistants",
        errors: ErrorsText {
            refused: Message { title: "The server refused the request", advice: "Go back, and try again." },
            unavailable: Message {
                title: "The service is not available now",
                advice: "Wait a moment, and load the page again.",
            },
            internal: Message { title: "Something went wrong", advice: "Try again later." },
        },
    },
    #[cfg(feature = "pages")]
    keys: keys::en::TEXT,
    #[cfg(feature = "pages")]
    deleted: deleted::en::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::en::TEXT,
};

//! The texts in Ukrainian.

#[cfg(feature = "oauth")]
use super::oauth;
use super::{ErrorsText, LayoutText, Message, Text};
#[cfg(feature = "pages")]
use super::{deleted, keys};

pub(super) const TEXT: Text = Text {
    layout: LayoutText {
        skip_to_content: "Перейти до вмісту",
        languages: "Мова",
        #[cfg(any(feature = "pages", feature = "oauth"))]
        keys: "Програми й помічники",
        errors: ErrorsText {
            refused: Message {
                title: "Сервер відхилив запит", advice: "Поверніться назад і спробуйте ще раз."
            },
            unavailable: Message {
                title: "Сервіс зараз недоступний", advice: "Зачекайте трохи й оновіть сторінку."
            },
            internal: Message {
                title: "Щось пішло не так", advice: "Спробуйте пізніше."
            },
        },
    },
    #[cfg(feature = "pages")]
    keys: keys::uk::TEXT,
    #[cfg(feature = "pages")]
    deleted: deleted::uk::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::uk::TEXT,
};

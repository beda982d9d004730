//! The texts in German.

#[cfg(feature = "oauth")]
use super::oauth;
use super::{ErrorsText, LayoutText, Message, Text};
#[cfg(feature = "pages")]
use super::{deleted, keys};

pub(super) const TEXT: Text = Text {
    layout: LayoutText {
        skip_to_content: "Zum Inhalt springen",
        languages: "Sprache",
        #[cfg(any(feature = "pages", feature = "oauth"))]
        keys: "Programme und Assistenten",
        errors: ErrorsText {
            refused: Message {
                title: "Der Server hat die Anfrage abgelehnt",
                advice: "Geh zurück und versuche es noch einmal.",
            },
            unavailable: Message {
                title: "Der Dienst ist gerade nicht verfügbar",
                advice: "Warte einen Moment und lade die Seite neu.",
            },
            internal: Message { title: "Etwas ist schiefgegangen", advice: "Versuche es später noch einmal." },
        },
    },
    #[cfg(feature = "pages")]
    keys: keys::de::TEXT,
    #[cfg(feature = "pages")]
    deleted: deleted::de::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::de::TEXT,
};

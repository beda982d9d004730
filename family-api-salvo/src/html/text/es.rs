//! The texts in Spanish.

#[cfg(feature = "oauth")]
use super::oauth;
use super::{ErrorsText, LayoutText, Message, Text};
#[cfg(feature = "pages")]
use super::{deleted, keys};

pub(super) const TEXT: Text = Text {
    layout: LayoutText {
        skip_to_content: "Ir al contenido",
        languages: "Idioma",
        #[cfg(any(feature = "pages", feature = "oauth"))]
        keys: "Programas y asistentes",
        errors: ErrorsText {
            refused: Message {
                title: "El servidor rechazó la petición", advice: "Vuelve atrás e inténtalo de nuevo."
            },
            unavailable: Message {
                title: "El servicio no está disponible ahora",
                advice: "Espera un momento y vuelve a cargar la página.",
            },
            internal: Message { title: "Algo ha fallado", advice: "Inténtalo más tarde." },
        },
    },
    #[cfg(feature = "pages")]
    keys: keys::es::TEXT,
    #[cfg(feature = "pages")]
    deleted: deleted::es::TEXT,
    #[cfg(feature = "oauth")]
    oauth: oauth::es::TEXT,
};

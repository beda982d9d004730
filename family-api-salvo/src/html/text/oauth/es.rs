//! The texts in Spanish.

use super::{ConsentText, Message, OAuthErrorText, OAuthText, WritesText};

pub(in super::super) const TEXT: OAuthText = OAuthText {
    consent: ConsentText {
        title: "Conectar una aplicación",
        question: "¿Permites que esta aplicación use los datos de tu familia?",
        client: "La aplicación dice llamarse",
        no_name: "No da ningún nombre",
        unchecked_name: "Nadie ha comprobado este nombre.",
        publisher: "Publicada por",
        destination: "Recibe el acceso",
        this_device: "Una aplicación de este dispositivo",
        user: "Has iniciado sesión como",
        web_warning: "Permítelo solo si has iniciado tú la conexión y conoces el sitio web que recibe el acceso.",
        loopback_warning: "El acceso lo recibe tu propio dispositivo. Permítelo solo si acabas de iniciar la conexión \
                           en una aplicación de este dispositivo.",
        app_warning: "El acceso lo recibe una aplicación de tu dispositivo, y otra aplicación instalada podría hacerse \
                      pasar por ella. Permítelo solo si acabas de iniciar la conexión en una aplicación de confianza.",
        access: "¿Qué puede hacer la aplicación?",
        read: "Solo leer",
        read_hint: "Leer las tareas, los eventos, las listas de la compra y las notas que tú puedes ver. No cambiar \
                    nada.",
        read_profile_hint: "Leer las tareas, los eventos, las listas de la compra y las notas que tú puedes ver, y tu perfil con \
                            tu correo electrónico. No cambiar nada.",
        change: "Leer y cambiar",
        full: "Leer, añadir, cambiar y eliminar",
        read_all: "Leer todo lo que tú puedes ver.",
        writes: WritesText {
            change_tasks: "Cambiar tareas.",
            change_notes: "Cambiar y eliminar notas.",
            manage_tasks: "Añadir, eliminar y recuperar tareas.",
            manage_notes: "Añadir y recuperar notas.",
            write_events: "Añadir, cambiar, eliminar y recuperar eventos.",
            write_shopping: "Añadir listas de la compra. Añadir, cambiar, marcar, eliminar y recuperar artículos de la \
                             compra.",
        },
        api_is_off: "Los programas y asistentes están desactivados, así que la aplicación no podría hacer nada.",
        enable_api: "Activar los programas y asistentes",
        enable_api_hint: "Tus claves y las demás aplicaciones conectadas también volverán a funcionar.",
        enable_api_required: "Para permitir la conexión, activa también los programas y asistentes.",
        allow: "Permitir",
        deny: "Rechazar",
        time_limit: "Si no respondes en 10 minutos, no se conectará nada.",
        end_later: "Puedes terminar la conexión en cualquier momento en «{page}».",
    },
    errors: OAuthErrorText {
        personal_api_is_on: "Los programas y asistentes están ahora activados.",
        malformed_request: Message {
            title: "La petición de la aplicación no es válida",
            advice: "No se ha conectado nada. Pide ayuda a quien desarrolla la aplicación.",
        },
        refused_request: Message {
            title: "La petición de la aplicación no es válida",
            advice: "No se ha conectado nada. Si no has iniciado tú esta conexión, cierra esta página. Si la has iniciado \
                     tú, vuelve a la aplicación, que podrá decirte más.",
        },
        back_to_client: "Volver a la aplicación:",
        unknown_client: Message {
            title: "La aplicación es desconocida",
            advice: "No se ha conectado nada. Elimina la conexión en la aplicación y vuelve a añadirla.",
        },
        client_document: Message {
            title: "La descripción de la aplicación no se puede usar",
            advice: "No se ha conectado nada. Inténtalo más tarde o pide ayuda a quien desarrolla la aplicación.",
        },
        foreign_redirect: Message {
            title: "La aplicación quiere enviarte a una dirección desconocida",
            advice: "No se ha conectado nada. Si no has iniciado tú esta conexión, cierra esta página. Si la has \
                     iniciado tú, pide ayuda a quien desarrolla la aplicación.",
        },
        invalid_form: Message {
            title: "Esta respuesta no es válida",
            advice: "No se ha conectado nada. Vuelve a la aplicación e inicia la conexión de nuevo.",
        },
        expired: Message {
            title: "Esta página ha caducado",
            advice: "No se ha conectado nada. Vuelve a la aplicación e inicia la conexión de nuevo.",
        },
        used: Message {
            title: "Ya has respondido",
            advice: "Una respuesta cuenta una sola vez. Si la aplicación no está conectada, inicia la conexión de nuevo \
                     en la aplicación.",
        },
        other_user: Message {
            title: "Has iniciado sesión con otro usuario",
            advice: "No se ha conectado nada. Esta página se abrió para otro usuario. Inicia la conexión de nuevo en la \
                     aplicación.",
        },
        signed_out: Message {
            title: "Tu sesión ha terminado",
            advice: "No se ha conectado nada. Inicia la conexión de nuevo en la aplicación e inicia sesión.",
        },
        cross_site: Message {
            title: "Esta respuesta vino de otro sitio web",
            advice: "No se ha conectado nada. Si no lo esperabas, cierra la página de la que vienes.",
        },
        limit_reached: Message {
            title: "Tienes demasiadas conexiones",
            advice: "No se ha conectado nada. Termina una conexión que ya no necesites e inténtalo de nuevo.",
        },
        too_many_requests: Message {
            title: "Demasiados intentos",
            advice: "Espera un minuto e inicia la conexión de nuevo en la aplicación.",
        },
        unavailable: Message {
            title: "El servicio no está disponible ahora",
            advice: "Espera un momento e inicia la conexión de nuevo en la aplicación.",
        },
        internal: Message { title: "Algo ha fallado", advice: "Inicia la conexión de nuevo en la aplicación." },
    },
};

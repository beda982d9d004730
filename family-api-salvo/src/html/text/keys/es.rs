//! The texts in Spanish.

use super::{
    ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText, ModeText, ModesText,
    ProblemsText,
};

pub(in super::super) const TEXT: KeysText = KeysText {
    signed_in_as: "Sesión iniciada como",
    sign_out: "Cerrar sesión",
    needs_script: "Esta página necesita JavaScript. Actívalo en el navegador.",
    loading: "Cargando…",
    api: ApiText {
        title: "API personal",
        explanation: "Decide si los programas y asistentes pueden usar la API personal, con la que también pueden cambiar \
                      datos en tu nombre.",
        switch: "Permitir el acceso en mi nombre",
        on: "Tus claves y aplicaciones conectadas pueden hacer lo que permitiste a cada una.",
        off: "Los programas no pueden cambiar nada, y las aplicaciones conectadas a la API personal se rechazan. Cada \
              clave aún puede leer las tareas, los eventos, las listas de la compra y las notas de tu familia. Para \
              impedirlo también, revoca la clave.",
        switched_on: "La API personal está activada.",
        switched_off: "La API personal está desactivada.",
    },
    list: ListText {
        title: "Mis claves",
        empty: "No tienes claves.",
        failed: "No se pudo cargar la lista, y puede no estar al día.",
        unnamed: "Clave sin nombre",
        key: "Clave",
        created: "Creada",
        expires: "Caduca",
        never_expires: "Nunca",
        last_used: "Último uso",
        never_used: "Nunca usada",
        unused: "Sin usar desde hace 90 días",
        revoke: "Revocar",
        revoked: "La clave se ha revocado.",
    },
    create: CreateText {
        title: "Crear una clave",
        explanation: "Una clave permite a un programa usar los datos de tu familia en tu nombre. \
                      Crea una clave distinta para cada programa, y así podrás revocarla por separado.",
        prefilled: "Un enlace ha rellenado este formulario. Revísalo: no se crea nada hasta que pulses el botón.",
        name: "Nombre",
        name_hint: "Para reconocer la clave más adelante, por ejemplo «Home Assistant».",
        mode: "¿Qué puede hacer el programa?",
        api_is_off: "La API personal está desactivada, así que ahora solo es posible la lectura básica. \
                     Actívala arriba para crear esta clave.",
        expires: "Caduca",
        week: "En 7 días",
        month: "En 30 días",
        quarter: "En 90 días",
        year: "En un año",
        never: "Nunca",
        submit: "Crear clave",
    },
    created: CreatedText {
        title: "Tu nueva clave",
        once: "Copia la clave ahora. Solo se muestra esta vez.",
        copy: "Copiar",
        copied: "Copiado.",
        copy_failed: "El navegador no permitió copiar. El texto está seleccionado para que lo copies tú.",
        use_it: "Configurar un programa",
        secret: "Estos ajustes contienen la clave. Mantenlos en privado.",
        terminal: "Terminal",
        add_to: "Añadir al archivo",
        done: "Listo, he guardado la clave",
    },
    connections: ConnectionsText {
        title: "Aplicaciones conectadas",
        explanation: "Asistentes y aplicaciones a los que permitiste usar los datos de tu familia sin una clave.",
        empty: "No hay ninguna aplicación conectada.",
        address: "Para conectar un asistente, introduce en él esta dirección:",
        unnamed: "Aplicación sin nombre",
        host: "Sitio web",
        this_device: "Este dispositivo",
        connected: "Conectada",
        disconnect: "Desconectar",
        disconnected: "La aplicación se ha desconectado.",
    },
    confirm: ConfirmText {
        revoke: "¿Revocar «{name}»?",
        revoke_effect: "Los programas que usan esta clave se rechazan de inmediato. No se puede deshacer.",
        disconnect: "¿Desconectar «{name}»?",
        disconnect_effect: "La aplicación se rechaza de inmediato. Para volver a usarla, tendrás que conectarla otra vez.",
        cancel: "Cancelar",
    },
    modes: ModesText {
        mcp_read: ModeText {
            name: "Lectura básica",
            explanation: "Lee tareas, eventos, listas de la compra y notas, incluso con la API personal desactivada.",
        },
        v1_read: ModeText {
            name: "Solo leer",
            explanation: "Lee tareas, eventos, listas de la compra y notas mediante la API personal.",
        },
        v1_read_write: ModeText {
            name: "Leer y cambiar",
            explanation: "Además cambia tareas, y cambia o borra notas.",
        },
        v1_full: ModeText {
            name: "Añadir, cambiar y borrar todo",
            explanation: "Además añade, cambia y borra tareas, eventos, artículos de la compra y notas. Lo \
                          borrado se puede recuperar durante 30 días.",
        },
        other: "Otro acceso",
    },
    problems: ProblemsText {
        title: "No ha funcionado",
        network: "No se pudo contactar con el servidor. Comprueba la conexión e inténtalo de nuevo.",
        not_signed_in: "No has iniciado sesión.",
        signed_out: "Ya no tienes la sesión iniciada. No se ha cambiado nada y lo que escribiste sigue aquí. \
                     Inicia sesión de nuevo, vuelve e inténtalo otra vez.",
        sign_in: "Iniciar sesión",
        cross_site: "El servidor rechazó la petición porque parece venir de otro sitio. \
                     Abre esta página en su dirección habitual.",
        api_disabled: "La API personal está desactivada. Actívala arriba o elige la lectura básica.",
        not_found: "Ya no existe. La lista está ahora al día.",
        key_limit_reached: "Ya tienes el número máximo de claves. Revoca una que no necesites.",
        invalid: "El servidor no aceptó lo que escribiste:",
        maybe_created: "La respuesta del servidor no llegó, así que la clave puede haberse creado sin mostrarse. \
                        Si en la lista de arriba hay una clave que no conoces, revócala antes de intentarlo de nuevo.",
        rate_limited: "Demasiados intentos. Espera {seconds} segundos e inténtalo de nuevo.",
        unavailable: "El servidor no puede responder en este momento. Inténtalo de nuevo en breve.",
        unexpected: "Algo ha fallado en el servidor. Inténtalo más tarde. Petición: {id}",
    },
};

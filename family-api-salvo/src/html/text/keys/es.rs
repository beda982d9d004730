//! The texts in Spanish.

use super::{
    ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText, ModeText, ModesText,
    ProblemsText, StopText,
};

pub(in super::super) const TEXT: KeysText = KeysText {
    signed_in_as: "Sesión iniciada como",
    sign_out: "Cerrar sesión",
    needs_script: "Esta página necesita JavaScript. Actívalo en el navegador.",
    loading: "Cargando…",
    api: ApiText {
        title: "Permitir o detener",
        explanation: "Los programas y asistentes a los que se lo permites pueden ver y cambiar cosas en tu nombre. Si \
                      desactivas esto, ninguno podrá cambiar nada.",
        switch: "Permitir programas y asistentes",
        on: "Cada uno puede hacer lo que le has permitido.",
        off: "Ninguno puede cambiar nada.",
        leaves: "Mientras los programas y asistentes estén desactivados, aún podrán leer las tareas, los eventos, las \
                 listas de la compra y las notas de tu familia: todos los programas con una clave, los asistentes que \
                 conectaste como «Solo leer, sin tu perfil» y los programas que la persona encargada de este servidor \
                 haya preparado para leer.",
        switched_on: "Ahora los programas y asistentes están permitidos.",
        switched_off: "Ahora los programas y asistentes están desactivados.",
    },
    stop: StopText {
        button: "Detener todo",
        explanation: "Esto también detiene la lectura: elimina todas tus claves y desconecta todas tus aplicaciones y \
                      asistentes. Las tareas, los eventos, las listas y las notas de tu familia se quedan como están.",
        question: "¿Detener todo?",
        effect: "Se desactivarán los programas y asistentes, se eliminarán todas tus claves y se desconectarán todas \
                 tus aplicaciones y asistentes. Para volver a usar alguno, tendrás que configurarlo de nuevo. Si la \
                 persona encargada de este servidor ha preparado un programa para leer, solo esa persona puede \
                 detenerlo.",
        stopped: "Todo se ha detenido. Claves eliminadas: {keys}. Aplicaciones desconectadas: {connections}.",
    },
    list: ListText {
        title: "Mis claves",
        empty: "No tienes claves.",
        failed: "No se pudo cargar la lista; puede que no esté al día.",
        unnamed: "Clave sin nombre",
        key: "Principio y final",
        created: "Creada",
        expires: "Funciona hasta",
        never_expires: "Sin caducidad",
        last_used: "Último uso",
        never_used: "Nunca usada",
        unused: "Sin usar desde hace 90 días",
        revoke: "Eliminar",
        revoked: "La clave se ha eliminado.",
    },
    create: CreateText {
        title: "Crear una clave",
        explanation: "Una clave es una contraseña larga para un solo programa o dispositivo, por ejemplo una tableta \
                      en la cocina. Con ella puede hacer en tu nombre lo que elijas abajo. Da a cada programa su \
                      propia clave: así podrás eliminar una y las demás seguirán funcionando.",
        prefilled: "Un enlace ha rellenado este formulario. Revísalo: no se crea nada hasta que pulses el botón.",
        name: "Nombre",
        name_hint: "Para reconocer la clave más adelante, por ejemplo «Tableta de la cocina».",
        mode: "¿Qué puede hacer el programa?",
        api_is_off: "Los programas y asistentes están desactivados. Para crear esta clave, actívalos en la parte de \
                     arriba de esta página o elige «Solo leer, sin tu perfil».",
        expires: "¿Cuánto tiempo debe funcionar la clave?",
        week: "7 días",
        month: "30 días",
        quarter: "90 días",
        year: "Un año",
        never: "Sin caducidad",
        submit: "Crear clave",
    },
    created: CreatedText {
        title: "Tu nueva clave",
        once: "Copia la clave ahora y pégala en el programa. Solo se muestra esta vez.",
        copy: "Copiar",
        copied: "Copiado.",
        copy_failed: "El navegador no permitió copiar. El texto está seleccionado para que lo copies tú.",
        programs: "Detalles técnicos",
        secret: "Ajustes ya preparados. Contienen la clave, así que no los enseñes a nadie.",
        terminal: "Terminal",
        add_to: "Añadir al archivo",
        done: "Listo, he guardado la clave",
    },
    connections: ConnectionsText {
        title: "Aplicaciones conectadas",
        explanation: "Aplicaciones y asistentes que has conectado tú. No necesitan una clave.",
        empty: "No hay ninguna aplicación conectada.",
        address: "Para conectar un asistente como Claude o ChatGPT, abre sus ajustes, añade un conector y escribe esta \
                  dirección. Si la aplicación de tu teléfono no lo ofrece, usa el sitio web del asistente. El \
                  asistente te pedirá que inicies sesión aquí, y tú eliges qué puede hacer.",
        unnamed: "Aplicación sin nombre",
        host: "Sitio web",
        this_device: "Este dispositivo",
        connected: "Conectada el",
        disconnect: "Desconectar",
        disconnected: "La aplicación se ha desconectado.",
        misused: "Estas aplicaciones se desconectaron para protegerte, porque quizá otra persona usó su acceso. Si \
                  quieres volver a usar una, conéctala de nuevo.",
    },
    confirm: ConfirmText {
        revoke: "¿Eliminar «{name}»?",
        revoke_effect: "El programa que usa esta clave dejará de funcionar de inmediato. Una clave eliminada no se puede \
                        recuperar.",
        disconnect: "¿Desconectar «{name}»?",
        disconnect_effect: "La aplicación dejará de funcionar de inmediato. Para volver a usarla, tendrás que conectarla \
                            otra vez.",
        cancel: "Cancelar",
    },
    modes: ModesText {
        mcp_read: ModeText {
            name: "Solo leer, sin tu perfil",
            explanation: "Lee tareas, eventos, listas de la compra y notas. Funciona también mientras los programas y \
                          asistentes están desactivados.",
        },
        v1_read: ModeText {
            name: "Solo leer",
            explanation: "Lee tareas, eventos, listas de la compra y notas, y tu perfil con tu correo electrónico.",
        },
        v1_read_write: ModeText {
            name: "Leer y cambiar",
            explanation: "Además cambia tareas, y cambia o elimina notas.",
        },
        v1_full: ModeText {
            name: "Leer, añadir, cambiar y eliminar",
            explanation: "Además añade, cambia y elimina tareas, eventos, artículos de la compra y notas. Lo eliminado \
                          se puede recuperar durante 30 días.",
        },
        other: "Otro acceso",
    },
    problems: ProblemsText {
        title: "No ha funcionado",
        network: "No hay conexión con el servidor. Comprueba si tienes internet e inténtalo de nuevo.",
        not_signed_in: "No has iniciado sesión.",
        signed_out: "Ya no tienes la sesión iniciada. No se ha cambiado nada y lo que escribiste sigue aquí. \
                     Inicia sesión de nuevo, vuelve e inténtalo otra vez.",
        sign_in: "Iniciar sesión",
        cross_site: "No se ha hecho nada, porque parece que esta página se abrió desde otro sitio web. \
                     Ábrela en su dirección habitual.",
        api_disabled: "Los programas y asistentes están desactivados. Actívalos en la parte de arriba de esta página o \
                       elige «Solo leer, sin tu perfil».",
        not_found: "Ya no existe. La lista está ahora al día.",
        key_limit_reached: "No puedes tener más claves. Elimina una que ya no necesites.",
        invalid: "Esto no se puede usar:",
        maybe_created: "No es seguro que la clave se haya creado, porque la respuesta no llegó. Si en la lista de tus \
                        claves hay ahora una que no conoces, elimínala antes de intentarlo de nuevo.",
        rate_limited: "Demasiados intentos. Inténtalo de nuevo dentro de {seconds} s.",
        unavailable: "El servidor no puede responder en este momento. Inténtalo de nuevo en un minuto.",
        unexpected: "Algo ha fallado. Inténtalo más tarde. Si pides ayuda, indica este número: {id}",
    },
};

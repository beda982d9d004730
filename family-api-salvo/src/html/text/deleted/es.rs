//! The texts in Spanish.

use super::DeletedText;

pub(in super::super) const TEXT: DeletedText = DeletedText {
    name: "Eliminado hace poco",
    title: "Lo que se ha eliminado en los últimos 30 días",
    explanation: "Tareas, eventos, artículos de la compra y notas que has eliminado tú, tu familia o un \
                  asistente. Lo que recuperes quedará como estaba.",
    empty: "No hay nada que recuperar.",
    no_family: "Todavía no perteneces a ninguna familia, así que no hay nada que recuperar.",
    task: "Tarea",
    note: "Nota",
    event: "Evento",
    shopping_item: "Artículo de la compra",
    untitled: "Sin título",
    deleted: "Eliminado",
    until: "Se puede recuperar hasta",
    bring_back: "Recuperar",
    brought_back: "«{name}» ha vuelto.",
    more: "Mostrar más",
    signed_out: "Ya no tienes la sesión iniciada y no se ha cambiado nada. Inicia sesión de nuevo y vuelve a \
                 esta página.",
    not_found: "Esto ya no se puede recuperar. Se eliminó hace demasiado tiempo, o la lista o el tablero donde \
                estaba ya no existe.",
    limit_reached: "No queda sitio. Elimina algo del mismo tipo que ya no necesites e inténtalo de nuevo.",
};

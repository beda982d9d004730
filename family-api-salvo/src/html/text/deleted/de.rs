//! The texts in German.

use super::DeletedText;

pub(in super::super) const TEXT: DeletedText = DeletedText {
    name: "Kürzlich gelöscht",
    title: "Was in den letzten 30 Tagen gelöscht wurde",
    explanation: "Aufgaben, Termine, Artikel der Einkaufslisten und Notizen, die du, deine Familie oder ein Assistent \
                  gelöscht hat. Was du zurückholst, ist wieder so wie vorher.",
    empty: "Es gibt nichts zurückzuholen.",
    no_family: "Du gehörst noch zu keiner Familie, also gibt es nichts zurückzuholen.",
    task: "Aufgabe",
    note: "Notiz",
    event: "Termin",
    shopping_item: "Artikel der Einkaufsliste",
    untitled: "Ohne Titel",
    deleted: "Gelöscht",
    until: "Lässt sich zurückholen bis",
    bring_back: "Zurückholen",
    brought_back: "„{name}“ ist wieder da.",
    more: "Mehr anzeigen",
    signed_out: "Du bist nicht mehr angemeldet, und es wurde nichts geändert. Melde dich neu an, und komm dann \
                 auf diese Seite zurück.",
    not_found: "Das lässt sich nicht mehr zurückholen. Es wurde vor zu langer Zeit gelöscht, oder die Liste oder das \
                Board dazu gibt es nicht mehr.",
    limit_reached: "Dafür ist kein Platz mehr. Lösche etwas von derselben Art, das du nicht mehr brauchst, und \
                    versuche es noch einmal.",
};

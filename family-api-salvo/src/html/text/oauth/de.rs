//! The texts in German.

use super::{ConsentText, Message, OAuthErrorText, OAuthText, WritesText};

pub(in super::super) const TEXT: OAuthText = OAuthText {
    consent: ConsentText {
        title: "App verbinden",
        question: "Darf diese App die Daten deiner Familie verwenden?",
        client: "Die App nennt sich",
        no_name: "Sie nennt keinen Namen",
        unchecked_name: "Niemand hat diesen Namen geprüft.",
        publisher: "Veröffentlicht von",
        destination: "Zugriff bekommt",
        this_device: "Eine App auf diesem Gerät",
        user: "Du bist angemeldet als",
        web_warning: "Erlaube das nur, wenn du die Verbindung selbst begonnen hast und die Website kennst, die Zugriff \
                      bekommt.",
        loopback_warning: "Zugriff bekommt dein eigenes Gerät. Erlaube das nur, wenn du die Verbindung gerade in einer \
                           App auf diesem Gerät begonnen hast.",
        app_warning: "Zugriff bekommt eine App auf deinem Gerät, und eine andere installierte App könnte sich für sie \
                      ausgeben. Erlaube das nur, wenn du die Verbindung gerade in einer App begonnen hast, der du \
                      vertraust.",
        access: "Was darf die App?",
        read: "Nur lesen",
        read_hint: "Die Aufgaben, Termine, Einkaufslisten und Notizen lesen, die du sehen kannst. Nichts ändern.",
        read_profile_hint: "Die Aufgaben, Termine, Einkaufslisten und Notizen lesen, die du sehen kannst, und dein Profil mit \
                            deiner E-Mail-Adresse. Nichts ändern.",
        change: "Lesen und ändern",
        full: "Lesen, hinzufügen, ändern und löschen",
        read_all: "Alles lesen, was du sehen kannst.",
        writes: WritesText {
            change_tasks: "Aufgaben ändern.",
            change_notes: "Notizen ändern und löschen.",
            manage_tasks: "Aufgaben hinzufügen, löschen und zurückholen.",
            manage_notes: "Notizen hinzufügen und zurückholen.",
            write_events: "Termine hinzufügen, ändern, löschen und zurückholen.",
            write_shopping: "Einkaufslisten hinzufügen. Artikel hinzufügen, ändern, abhaken, löschen und zurückholen.",
        },
        api_is_off: "Programme und Assistenten sind ausgeschaltet. Die App könnte deshalb nichts tun.",
        enable_api: "Programme und Assistenten einschalten",
        enable_api_hint: "Deine Schlüssel und deine anderen verbundenen Apps funktionieren dann auch wieder.",
        enable_api_required: "Schalte auch Programme und Assistenten ein, um die Verbindung zu erlauben.",
        allow: "Erlauben",
        deny: "Ablehnen",
        time_limit: "Wenn du nicht innerhalb von 10 Minuten antwortest, wird nichts verbunden.",
        end_later: "Du kannst die Verbindung jederzeit unter „{page}“ beenden.",
    },
    errors: OAuthErrorText {
        personal_api_is_on: "Programme und Assistenten sind jetzt eingeschaltet.",
        malformed_request: Message {
            title: "Die Anfrage der App ist ungültig",
            advice: "Es wurde nichts verbunden. Bitte den Hersteller der App um Hilfe.",
        },
        refused_request: Message {
            title: "Die Anfrage der App ist ungültig",
            advice: "Es wurde nichts verbunden. Wenn du die Verbindung nicht selbst begonnen hast, schließe diese Seite. \
                     Sonst geh zurück zur App, die dir dann mehr sagen kann.",
        },
        back_to_client: "Zurück zur App:",
        unknown_client: Message {
            title: "Die App ist unbekannt",
            advice: "Es wurde nichts verbunden. Entferne die Verbindung in der App, und füge sie neu hinzu.",
        },
        client_document: Message {
            title: "Die Beschreibung der App ist nicht verwendbar",
            advice: "Es wurde nichts verbunden. Versuche es später noch einmal, oder bitte den Hersteller der App um \
                     Hilfe.",
        },
        foreign_redirect: Message {
            title: "Die App will dich an eine unbekannte Adresse schicken",
            advice: "Es wurde nichts verbunden. Wenn du die Verbindung nicht selbst begonnen hast, schließe diese \
                     Seite. Sonst bitte den Hersteller der App um Hilfe.",
        },
        invalid_form: Message {
            title: "Diese Antwort ist ungültig",
            advice: "Es wurde nichts verbunden. Geh zurück zur App, und beginne die Verbindung neu.",
        },
        expired: Message {
            title: "Diese Seite ist abgelaufen",
            advice: "Es wurde nichts verbunden. Geh zurück zur App, und beginne die Verbindung neu.",
        },
        used: Message {
            title: "Du hast schon geantwortet",
            advice: "Eine Antwort zählt nur einmal. Wenn die App nicht verbunden ist, beginne die Verbindung in der App \
                     neu.",
        },
        other_user: Message {
            title: "Du bist als jemand anderes angemeldet",
            advice: "Es wurde nichts verbunden. Diese Seite wurde für eine andere Person geöffnet. Beginne die \
                     Verbindung in der App neu.",
        },
        signed_out: Message {
            title: "Du bist nicht mehr angemeldet",
            advice: "Es wurde nichts verbunden. Beginne die Verbindung in der App neu, und melde dich an.",
        },
        cross_site: Message {
            title: "Diese Antwort kam von einer anderen Website",
            advice: "Es wurde nichts verbunden. Wenn du das nicht erwartet hast, schließe die Seite, von der du kommst.",
        },
        limit_reached: Message {
            title: "Du hast zu viele Verbindungen",
            advice: "Es wurde nichts verbunden. Beende eine Verbindung, die du nicht mehr brauchst, und versuche es noch \
                     einmal.",
        },
        too_many_requests: Message {
            title: "Zu viele Versuche",
            advice: "Warte eine Minute, und beginne die Verbindung in der App neu.",
        },
        unavailable: Message {
            title: "Der Dienst ist gerade nicht verfügbar",
            advice: "Warte einen Moment, und beginne die Verbindung in der App neu.",
        },
        internal: Message { title: "Etwas ist schiefgegangen", advice: "Beginne die Verbindung in der App neu." },
    },
};

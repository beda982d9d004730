//! The texts in German.

use super::{
    ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText, ModeText, ModesText,
    ProblemsText,
};

pub(in super::super) const TEXT: KeysText = KeysText {
    signed_in_as: "Angemeldet als",
    sign_out: "Abmelden",
    needs_script: "Diese Seite braucht JavaScript. Schalte es im Browser ein.",
    loading: "Wird geladen …",
    api: ApiText {
        title: "Persönliche API",
        explanation: "Legt fest, ob Programme und Assistenten die persönliche API nutzen dürfen, mit der sie in deinem Namen \
                      auch Daten ändern können.",
        switch: "Zugriff in meinem Namen erlauben",
        on: "Deine Schlüssel und verbundenen Apps können, was du ihnen jeweils erlaubt hast.",
        off: "Programme können nichts ändern, und Apps, die mit der persönlichen API verbunden sind, werden abgewiesen. \
              Jeder Schlüssel kann weiter Aufgaben, Termine, Einkaufslisten und Notizen deiner Familie lesen. Um \
              auch das zu beenden, widerrufe den Schlüssel.",
        switched_on: "Die persönliche API ist an.",
        switched_off: "Die persönliche API ist aus.",
    },
    list: ListText {
        title: "Meine Schlüssel",
        empty: "Du hast keine Schlüssel.",
        failed: "Die Liste konnte nicht geladen werden und ist vielleicht nicht aktuell.",
        unnamed: "Schlüssel ohne Namen",
        key: "Schlüssel",
        created: "Erstellt",
        expires: "Läuft ab",
        never_expires: "Nie",
        last_used: "Zuletzt genutzt",
        never_used: "Nie genutzt",
        unused: "Seit 90 Tagen ungenutzt",
        revoke: "Widerrufen",
        revoked: "Der Schlüssel wurde widerrufen.",
    },
    create: CreateText {
        title: "Schlüssel erstellen",
        explanation: "Mit einem Schlüssel nutzt ein Programm in deinem Namen die Daten deiner Familie. \
                      Erstelle für jedes Programm einen eigenen, damit du ihn einzeln widerrufen kannst.",
        prefilled: "Ein Link hat dieses Formular ausgefüllt. Prüfe es zuerst: Erst mit dem Knopf wird etwas erstellt.",
        name: "Name",
        name_hint: "Damit du den Schlüssel später erkennst, zum Beispiel „Home Assistant“.",
        mode: "Was darf das Programm?",
        api_is_off: "Die persönliche API ist aus, deshalb ist jetzt nur einfaches Lesen möglich. \
                     Schalte sie oben ein, um diesen Schlüssel zu erstellen.",
        expires: "Läuft ab",
        week: "In 7 Tagen",
        month: "In 30 Tagen",
        quarter: "In 90 Tagen",
        year: "In einem Jahr",
        never: "Nie",
        submit: "Schlüssel erstellen",
    },
    created: CreatedText {
        title: "Dein neuer Schlüssel",
        once: "Kopiere den Schlüssel jetzt. Er wird nur dieses eine Mal angezeigt.",
        copy: "Kopieren",
        copied: "Kopiert.",
        copy_failed: "Der Browser hat das Kopieren nicht erlaubt. Der Text ist markiert, du kannst ihn selbst kopieren.",
        use_it: "Programm einrichten",
        secret: "Diese Einstellungen enthalten den Schlüssel. Halte sie geheim.",
        terminal: "Terminal",
        add_to: "In diese Datei einfügen:",
        done: "Fertig, ich habe den Schlüssel gespeichert",
    },
    connections: ConnectionsText {
        title: "Verbundene Apps",
        explanation: "Assistenten und Apps, denen du ohne Schlüssel erlaubt hast, die Daten deiner Familie zu nutzen.",
        empty: "Es ist keine App verbunden.",
        address: "Um einen Assistenten zu verbinden, trage dort diese Adresse ein:",
        unnamed: "App ohne Namen",
        host: "Website",
        this_device: "Dieses Gerät",
        connected: "Verbunden",
        disconnect: "Trennen",
        disconnected: "Die App wurde getrennt.",
    },
    confirm: ConfirmText {
        revoke: "„{name}“ widerrufen?",
        revoke_effect: "Programme mit diesem Schlüssel werden sofort abgewiesen. Das lässt sich nicht rückgängig machen.",
        disconnect: "„{name}“ trennen?",
        disconnect_effect: "Die App wird sofort abgewiesen. Um sie wieder zu nutzen, musst du sie neu verbinden.",
        cancel: "Abbrechen",
    },
    modes: ModesText {
        mcp_read: ModeText {
            name: "Einfaches Lesen",
            explanation: "Liest Aufgaben, Termine, Einkaufslisten und Notizen, auch wenn die persönliche API aus ist.",
        },
        v1_read: ModeText {
            name: "Nur lesen",
            explanation: "Liest Aufgaben, Termine, Einkaufslisten und Notizen über die persönliche API.",
        },
        v1_read_write: ModeText {
            name: "Lesen und ändern",
            explanation: "Ändert außerdem Aufgaben und ändert oder löscht Notizen.",
        },
        v1_full: ModeText {
            name: "Alles hinzufügen, ändern und löschen",
            explanation: "Fügt außerdem Aufgaben, Termine, Artikel der Einkaufslisten und Notizen hinzu, ändert \
                          und löscht sie. Gelöschtes lässt sich 30 Tage lang wiederherstellen.",
        },
        other: "Anderer Zugriff",
    },
    problems: ProblemsText {
        title: "Das hat nicht geklappt",
        network: "Der Server ist nicht erreichbar. Prüfe die Verbindung und versuche es noch einmal.",
        not_signed_in: "Du bist nicht angemeldet.",
        signed_out: "Du bist nicht mehr angemeldet. Es wurde nichts geändert, und deine Eingaben sind noch da. \
                     Melde dich neu an, komm hierher zurück und versuche es noch einmal.",
        sign_in: "Anmelden",
        cross_site: "Der Server hat die Anfrage abgelehnt, weil sie von einer anderen Website zu kommen scheint. \
                     Öffne diese Seite unter ihrer üblichen Adresse.",
        api_disabled: "Die persönliche API ist aus. Schalte sie oben ein oder wähle einfaches Lesen.",
        not_found: "Das gibt es nicht mehr. Die Liste ist jetzt aktuell.",
        key_limit_reached: "Du hast schon die höchste Anzahl an Schlüsseln. Widerrufe einen, den du nicht mehr brauchst.",
        invalid: "Der Server hat die Eingabe nicht angenommen:",
        maybe_created: "Die Antwort des Servers ist nicht angekommen. Der Schlüssel wurde vielleicht erstellt, aber nicht \
                        angezeigt. Steht in der Liste oben ein Schlüssel, den du nicht kennst, dann widerrufe ihn, \
                        bevor du es noch einmal versuchst.",
        rate_limited: "Zu viele Versuche. Warte {seconds} Sekunden und versuche es noch einmal.",
        unavailable: "Der Server kann gerade nicht antworten. Versuche es gleich noch einmal.",
        unexpected: "Auf dem Server ist etwas schiefgegangen. Versuche es später noch einmal. Anfrage: {id}",
    },
};

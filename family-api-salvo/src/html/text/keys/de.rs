//! The texts in German.

use super::{
    ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText, ModeText, ModesText,
    ProblemsText, StopText,
};

pub(in super::super) const TEXT: KeysText = KeysText {
    signed_in_as: "Angemeldet als",
    sign_out: "Abmelden",
    needs_script: "Diese Seite braucht JavaScript. Schalte es im Browser ein.",
    loading: "Wird geladen …",
    api: ApiText {
        title: "Erlauben oder stoppen",
        explanation: "Programme und Assistenten, denen du es erlaubst, können in deinem Namen Dinge sehen und ändern. \
                      Wenn du das hier ausschaltest, kann keiner von ihnen mehr etwas ändern.",
        switch: "Programme und Assistenten erlauben",
        on: "Jeder von ihnen kann tun, was du ihm erlaubt hast.",
        off: "Keiner von ihnen kann etwas ändern.",
        leaves: "Während Programme und Assistenten ausgeschaltet sind, können diese die Aufgaben, Termine, \
                 Einkaufslisten und Notizen deiner Familie noch lesen: jedes Programm mit einem Schlüssel, jeder \
                 Assistent, den du als „Nur lesen, ohne dein Profil“ verbunden hast, und jedes Programm, das der \
                 Betreiber dieses Servers zum Lesen eingerichtet hat.",
        switched_on: "Programme und Assistenten sind jetzt erlaubt.",
        switched_off: "Programme und Assistenten sind jetzt ausgeschaltet.",
    },
    stop: StopText {
        button: "Alles stoppen",
        explanation: "Das beendet auch das Lesen: Alle deine Schlüssel werden gelöscht und alle deine Apps und \
                      Assistenten getrennt. Die Aufgaben, Termine, Listen und Notizen deiner Familie bleiben, wie \
                      sie sind.",
        question: "Alles stoppen?",
        effect: "Programme und Assistenten werden ausgeschaltet, alle deine Schlüssel gelöscht und alle deine Apps und \
                 Assistenten getrennt. Um etwas davon wieder zu nutzen, musst du es neu einrichten. Wenn der Betreiber \
                 dieses Servers ein Programm zum Lesen eingerichtet hat, kann nur er es stoppen.",
        stopped: "Alles ist gestoppt. Gelöschte Schlüssel: {keys}. Getrennte Apps: {connections}.",
    },
    list: ListText {
        title: "Meine Schlüssel",
        empty: "Du hast keine Schlüssel.",
        failed: "Die Liste konnte nicht geladen werden und ist vielleicht nicht aktuell.",
        unnamed: "Schlüssel ohne Namen",
        key: "Anfang und Ende",
        created: "Erstellt",
        expires: "Gilt bis",
        never_expires: "Unbegrenzt",
        last_used: "Zuletzt genutzt",
        never_used: "Nie genutzt",
        unused: "Seit 90 Tagen ungenutzt",
        revoke: "Löschen",
        revoked: "Der Schlüssel wurde gelöscht.",
    },
    create: CreateText {
        title: "Schlüssel erstellen",
        explanation: "Ein Schlüssel ist ein langes Passwort für ein einzelnes Programm oder Gerät, zum Beispiel für \
                      ein Tablet in der Küche. Damit kann es in deinem Namen tun, was du unten auswählst. Gib jedem \
                      Programm einen eigenen Schlüssel: Dann kannst du einen löschen, und die anderen funktionieren \
                      weiter.",
        prefilled: "Ein Link hat dieses Formular ausgefüllt. Prüfe es zuerst: Es wird nichts erstellt, bevor du auf \
                    den Knopf drückst.",
        name: "Name",
        name_hint: "Damit du den Schlüssel später erkennst, zum Beispiel „Tablet in der Küche“.",
        mode: "Was darf das Programm?",
        api_is_off: "Programme und Assistenten sind ausgeschaltet. Um diesen Schlüssel zu erstellen, schalte sie oben \
                     auf dieser Seite ein, oder wähle „Nur lesen, ohne dein Profil“.",
        expires: "Wie lange soll der Schlüssel gelten?",
        week: "7 Tage",
        month: "30 Tage",
        quarter: "90 Tage",
        year: "Ein Jahr",
        never: "Unbegrenzt",
        submit: "Schlüssel erstellen",
    },
    created: CreatedText {
        title: "Dein neuer Schlüssel",
        once: "Kopiere den Schlüssel jetzt und füge ihn im Programm ein. Er wird nur dieses eine Mal angezeigt.",
        copy: "Kopieren",
        copied: "Kopiert.",
        copy_failed: "Der Browser hat das Kopieren nicht erlaubt. Der Text ist markiert, du kannst ihn selbst kopieren.",
        programs: "Technische Einzelheiten",
        secret: "Fertige Einstellungen. Sie enthalten den Schlüssel, halte sie also geheim.",
        terminal: "Terminal",
        add_to: "In diese Datei einfügen:",
        done: "Fertig, ich habe den Schlüssel gespeichert",
    },
    connections: ConnectionsText {
        title: "Verbundene Apps",
        explanation: "Apps und Assistenten, die du selbst verbunden hast. Sie brauchen keinen Schlüssel.",
        empty: "Es ist keine App verbunden.",
        address: "Um einen Assistenten wie Claude oder ChatGPT zu verbinden, öffne seine Einstellungen, füge einen \
                  Konnektor hinzu und gib diese Adresse ein. Wenn die App auf deinem Handy das nicht anbietet, nimm \
                  die Website des Assistenten. Der Assistent führt dich dann zur Anmeldung hierher, und du wählst, was \
                  er darf.",
        unnamed: "App ohne Namen",
        host: "Website",
        this_device: "Dieses Gerät",
        connected: "Verbunden am",
        disconnect: "Trennen",
        disconnected: "Die App wurde getrennt.",
        misused: "Diese Apps wurden zu deinem Schutz getrennt, weil vielleicht jemand anderes ihren Zugang genutzt \
                  hat. Wenn du eine wieder nutzen willst, verbinde sie neu.",
    },
    confirm: ConfirmText {
        revoke: "„{name}“ löschen?",
        revoke_effect: "Das Programm mit diesem Schlüssel funktioniert dann sofort nicht mehr. Ein gelöschter Schlüssel \
                        lässt sich nicht zurückholen.",
        disconnect: "„{name}“ trennen?",
        disconnect_effect: "Die App funktioniert dann sofort nicht mehr. Um sie wieder zu nutzen, musst du sie neu \
                            verbinden.",
        cancel: "Abbrechen",
    },
    modes: ModesText {
        mcp_read: ModeText {
            name: "Nur lesen, ohne dein Profil",
            explanation: "Liest Aufgaben, Termine, Einkaufslisten und Notizen. Das geht auch, während Programme und \
                          Assistenten ausgeschaltet sind.",
        },
        v1_read: ModeText {
            name: "Nur lesen",
            explanation: "Liest Aufgaben, Termine, Einkaufslisten und Notizen sowie dein Profil mit deiner \
                          E-Mail-Adresse.",
        },
        v1_read_write: ModeText {
            name: "Lesen und ändern",
            explanation: "Ändert außerdem Aufgaben und ändert oder löscht Notizen.",
        },
        v1_full: ModeText {
            name: "Lesen, hinzufügen, ändern und löschen",
            explanation: "Fügt außerdem Aufgaben, Termine, Artikel der Einkaufslisten und Notizen hinzu, ändert und \
                          löscht sie. Gelöschtes lässt sich 30 Tage lang zurückholen.",
        },
        other: "Anderer Zugriff",
    },
    problems: ProblemsText {
        title: "Das hat nicht geklappt",
        network: "Es gibt keine Verbindung zum Server. Prüfe, ob du online bist, und versuche es noch einmal.",
        not_signed_in: "Du bist nicht angemeldet.",
        signed_out: "Du bist nicht mehr angemeldet. Es wurde nichts geändert, und deine Eingaben sind noch da. \
                     Melde dich neu an, komm hierher zurück und versuche es noch einmal.",
        sign_in: "Anmelden",
        cross_site: "Es ist nichts passiert, weil diese Seite anscheinend von einer anderen Website aus geöffnet wurde. \
                     Öffne sie unter ihrer üblichen Adresse.",
        api_disabled: "Programme und Assistenten sind ausgeschaltet. Schalte sie oben auf dieser Seite ein, oder wähle \
                       „Nur lesen, ohne dein Profil“.",
        not_found: "Das gibt es nicht mehr. Die Liste ist jetzt aktuell.",
        key_limit_reached: "Mehr Schlüssel sind nicht möglich. Lösche einen, den du nicht mehr brauchst.",
        invalid: "Das lässt sich nicht verwenden:",
        maybe_created: "Es ist nicht sicher, ob der Schlüssel erstellt wurde, denn die Antwort ist nicht angekommen. \
                        Steht jetzt in der Liste deiner Schlüssel einer, den du nicht kennst, dann lösche ihn, bevor du \
                        es noch einmal versuchst.",
        rate_limited: "Zu viele Versuche. Versuche es in {seconds} Sek. noch einmal.",
        unavailable: "Der Server kann gerade nicht antworten. Versuche es in einer Minute noch einmal.",
        unexpected: "Etwas ist schiefgegangen. Versuche es später noch einmal. Wenn du um Hilfe bittest, nenne diese \
                     Nummer: {id}",
    },
};

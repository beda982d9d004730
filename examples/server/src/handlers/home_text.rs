//! The texts of the page at `/`.

use family_api_salvo::html::Language;

/// The texts of the page at `/` in one language.
#[derive(Debug)]
pub(super) struct HomeText {
    pub(super) title: &'static str,
    pub(super) explanation: &'static str,
    pub(super) keys: &'static str,
    pub(super) sign_in: &'static str,
    pub(super) documentation: &'static str,
    pub(super) openapi: &'static str,
    pub(super) connect: &'static str,
    /// What an assistant needs. A link to the keys follows.
    pub(super) needs: &'static str,
    /// How to connect without a key. A link to the keys follows.
    pub(super) without_key: &'static str,
    pub(super) secret: &'static str,
    pub(super) full_endpoint: &'static str,
    pub(super) read_endpoint: &'static str,
    pub(super) check: &'static str,
    pub(super) check_explanation: &'static str,
}

impl HomeText {
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Ukrainian => &UKRAINIAN,
            Language::Spanish => &SPANISH,
            Language::German => &GERMAN,
        }
    }
}

const ENGLISH: HomeText = HomeText {
    title: "Your family's data, for your own programs",
    explanation: "This server opens a family's tasks, events, shopping lists and notes to the family's own scripts, \
                  dashboards and assistants.",
    keys: "Keys and connections",
    sign_in: "Sign in",
    documentation: "API documentation",
    openapi: "OpenAPI document",
    connect: "Connect an assistant",
    without_key: "Enter the address of an MCP endpoint in the assistant. It opens the sign-in of this server, \
                  and you allow it there. An assistant that cannot do this needs a key:",
    needs: "An assistant needs the address of an MCP endpoint and a key. Create a key here:",
    secret: "Replace fam_… by the key. The file then contains a secret: keep it private, and do not commit it.",
    full_endpoint: "Reads, and changes what the key permits. Needs the personal API to be on.",
    read_endpoint: "Only reads, with any key.",
    check: "Check a key",
    check_explanation: "This command prints an overview of the family's data if the endpoint accepts the key.",
};

const UKRAINIAN: HomeText = HomeText {
    title: "Дані вашої родини для ваших програм",
    explanation: "Цей сервер відкриває завдання, події, списки покупок і нотатки родини для її власних скриптів, \
                  панелей і помічників.",
    keys: "Ключі та підключення",
    sign_in: "Увійти",
    documentation: "Документація API",
    openapi: "Документ OpenAPI",
    connect: "Підключити помічника",
    without_key: "Уведіть у помічнику адресу кінцевої точки MCP. Він відкриє вхід на цей сервер, і там ви дасте дозвіл. \
                  Якщо помічник цього не вміє, йому потрібен ключ:",
    needs: "Помічнику потрібні адреса кінцевої точки MCP і ключ. Створіть ключ тут:",
    secret: "Замініть fam_… ключем. Файл тоді міститиме секрет: тримайте його в таємниці й не додавайте до репозиторію.",
    full_endpoint: "Читає і змінює те, що дозволяє ключ. Особистий API має бути ввімкнено.",
    read_endpoint: "Лише читає, з будь-яким ключем.",
    check: "Перевірити ключ",
    check_explanation: "Якщо ключ прийнято, ця команда виведе огляд даних родини.",
};

const SPANISH: HomeText = HomeText {
    title: "Los datos de tu familia, para tus propios programas",
    explanation: "Este servidor abre las tareas, los eventos, las listas de la compra y las notas de una familia a sus \
                  propios scripts, paneles y asistentes.",
    keys: "Claves y conexiones",
    sign_in: "Iniciar sesión",
    documentation: "Documentación de la API",
    openapi: "Documento OpenAPI",
    connect: "Conectar un asistente",
    without_key: "Introduce en el asistente la dirección de un punto de acceso MCP. Se abrirá el inicio de sesión \
                  de este servidor, y allí lo permites. Un asistente que no sepa hacerlo necesita una clave:",
    needs: "Un asistente necesita la dirección de un punto de acceso MCP y una clave. Crea una clave aquí:",
    secret: "Sustituye fam_… por la clave. El archivo contiene entonces un secreto: mantenlo en privado y no lo subas a un \
             repositorio.",
    full_endpoint: "Lee, y cambia lo que la clave permite. La API personal debe estar activada.",
    read_endpoint: "Solo lee, con cualquier clave.",
    check: "Comprobar una clave",
    check_explanation: "Esta orden muestra un resumen de los datos de la familia si la clave se acepta.",
};

const GERMAN: HomeText = HomeText {
    title: "Die Daten deiner Familie, für eigene Programme",
    explanation: "Dieser Server öffnet Aufgaben, Termine, Einkaufslisten und Notizen einer Familie für ihre eigenen \
                  Skripte, Anzeigen und Assistenten.",
    keys: "Schlüssel und Verbindungen",
    sign_in: "Anmelden",
    documentation: "API-Dokumentation",
    openapi: "OpenAPI-Dokument",
    connect: "Einen Assistenten verbinden",
    without_key: "Trage die Adresse eines MCP-Endpunkts im Assistenten ein. Er öffnet die Anmeldung dieses Servers, \
                  und du erlaubst ihn dort. Ein Assistent, der das nicht kann, braucht einen Schlüssel:",
    needs: "Ein Assistent braucht die Adresse eines MCP-Endpunkts und einen Schlüssel. Erstelle hier einen Schlüssel:",
    secret: "Ersetze fam_… durch den Schlüssel. Die Datei enthält dann ein Geheimnis: Halte sie privat und lege sie in \
             keinem Repository ab.",
    full_endpoint: "Liest, und ändert, was der Schlüssel erlaubt. Die persönliche API muss an sein.",
    read_endpoint: "Liest nur, mit jedem Schlüssel.",
    check: "Einen Schlüssel prüfen",
    check_explanation: "Dieser Befehl zeigt eine Übersicht der Familiendaten, wenn der Schlüssel angenommen wird.",
};

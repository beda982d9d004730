//! The texts of the page at `/`.

use family_api_salvo::html::Language;

/// The texts of the page at `/` in one language.
#[derive(Debug)]
pub(super) struct HomeText {
    pub(super) title: &'static str,
    pub(super) explanation: &'static str,
    /// The name of the page of keys and connections.
    pub(super) keys: &'static str,
    /// The name of the page of deleted records.
    pub(super) deleted: &'static str,
    pub(super) sign_in: &'static str,
    /// Precedes the name of the user.
    pub(super) signed_in_as: &'static str,
    pub(super) sign_out: &'static str,
    pub(super) connect: &'static str,
    /// How to connect without a key. The address follows the second step.
    pub(super) steps: [&'static str; 3],
    /// How to connect with a key. A link to the keys follows.
    pub(super) needs_key: &'static str,
    /// The title of the part for programmers.
    pub(super) programs: &'static str,
    pub(super) endpoints: &'static str,
    pub(super) full_endpoint: &'static str,
    pub(super) read_endpoint: &'static str,
    pub(super) secret: &'static str,
    pub(super) check: &'static str,
    pub(super) check_explanation: &'static str,
    pub(super) documentation: &'static str,
    pub(super) openapi: &'static str,
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
    title: "Let an assistant help your family",
    explanation: "Ask an assistant on your phone or computer what is on today, or tell it to add milk to the shopping list. \
                  It works with your family’s tasks, events, shopping lists and notes. You choose what each assistant \
                  may do, and you can stop it at any time.",
    keys: "Programs and assistants",
    deleted: "Recently deleted",
    sign_in: "Sign in",
    signed_in_as: "Signed in as",
    sign_out: "Sign out",
    connect: "Connect an assistant",
    steps: [
        "Open the settings of the assistant, such as Claude or ChatGPT, and add a connector. If the app on your phone \
         does not offer this, use the assistant’s website.",
        "Enter this address:",
        "Sign in on the page that opens, and choose what the assistant may do.",
    ],
    needs_key: "Here, an assistant needs a key, which is a long password just for it. Create one on this page:",
    programs: "Technical details",
    endpoints: "A program sends a key to one of these MCP endpoints:",
    full_endpoint: "Reads, and changes what the key permits. Works only while programs and assistants are allowed.",
    read_endpoint: "Only reads, with any key.",
    secret: "Replace fam_… by the key. The file then contains a secret: keep it private, and do not commit it.",
    check: "Check a key",
    check_explanation: "This command prints an overview of the family’s data if the endpoint accepts the key.",
    documentation: "API documentation",
    openapi: "OpenAPI document",
};

const UKRAINIAN: HomeText = HomeText {
    title: "Нехай помічник допомагає вашій родині",
    explanation: "Запитайте помічника на телефоні чи комп’ютері, що заплановано на сьогодні, або попросіть його додати \
                  молоко до списку покупок. Він працює із завданнями, подіями, списками покупок і нотатками вашої \
                  родини. Ви вирішуєте, що дозволено кожному помічнику, і можете будь-коли його зупинити.",
    keys: "Програми й помічники",
    deleted: "Нещодавно видалене",
    sign_in: "Увійти",
    signed_in_as: "Ви ввійшли як",
    sign_out: "Вийти",
    connect: "Підключити помічника",
    steps: [
        "Відкрийте налаштування помічника, наприклад Claude чи ChatGPT, і додайте конектор. Якщо застосунок на \
         телефоні цього не пропонує, скористайтеся сайтом помічника.",
        "Уведіть цю адресу:",
        "Увійдіть на сторінці, що відкриється, і виберіть, що дозволено помічнику.",
    ],
    needs_key: "Тут помічнику потрібен ключ — довгий пароль лише для нього. Створіть його на цій сторінці:",
    programs: "Технічні подробиці",
    endpoints: "Програма надсилає ключ на одну з цих кінцевих точок MCP:",
    full_endpoint: "Читає і змінює те, що дозволяє ключ. Працює, лише поки доступ програм і помічників увімкнено.",
    read_endpoint: "Лише читає, з будь-яким ключем.",
    secret: "Замініть fam_… ключем. Файл тоді міститиме секрет: тримайте його в таємниці й не додавайте до репозиторію.",
    check: "Перевірити ключ",
    check_explanation: "Якщо ключ прийнято, ця команда виведе огляд даних родини.",
    documentation: "Документація API",
    openapi: "Документ OpenAPI",
};

const SPANISH: HomeText = HomeText {
    title: "Deja que un asistente ayude a tu familia",
    explanation: "Pregunta a un asistente en tu teléfono u ordenador qué hay para hoy, o dile que añada leche a la lista de \
                  la compra. Trabaja con las tareas, los eventos, las listas de la compra y las notas de tu familia. Tú \
                  eliges qué puede hacer cada asistente y puedes detenerlo en cualquier momento.",
    keys: "Programas y asistentes",
    deleted: "Eliminado hace poco",
    sign_in: "Iniciar sesión",
    signed_in_as: "Sesión iniciada como",
    sign_out: "Cerrar sesión",
    connect: "Conectar un asistente",
    steps: [
        "Abre los ajustes del asistente, por ejemplo Claude o ChatGPT, y añade un conector. Si la aplicación de tu \
         teléfono no lo ofrece, usa el sitio web del asistente.",
        "Escribe esta dirección:",
        "Inicia sesión en la página que se abre y elige qué puede hacer el asistente.",
    ],
    needs_key: "Aquí un asistente necesita una clave, que es una contraseña larga solo para él. Créala en esta página:",
    programs: "Detalles técnicos",
    endpoints: "Un programa envía una clave a uno de estos puntos de acceso MCP:",
    full_endpoint: "Lee, y cambia lo que la clave permite. Funciona solo mientras los programas y asistentes están \
                    permitidos.",
    read_endpoint: "Solo lee, con cualquier clave.",
    secret: "Sustituye fam_… por la clave. El archivo contiene entonces un secreto: mantenlo en privado y no lo subas a un \
             repositorio.",
    check: "Comprobar una clave",
    check_explanation: "Esta orden muestra un resumen de los datos de la familia si la clave se acepta.",
    documentation: "Documentación de la API",
    openapi: "Documento OpenAPI",
};

const GERMAN: HomeText = HomeText {
    title: "Lass einen Assistenten deiner Familie helfen",
    explanation: "Frag einen Assistenten auf deinem Handy oder Computer, was heute ansteht, oder sag ihm, dass Milch auf die \
                  Einkaufsliste soll. Er arbeitet mit den Aufgaben, Terminen, Einkaufslisten und Notizen deiner Familie. \
                  Du wählst, was jeder Assistent darf, und du kannst ihn jederzeit stoppen.",
    keys: "Programme und Assistenten",
    deleted: "Kürzlich gelöscht",
    sign_in: "Anmelden",
    signed_in_as: "Angemeldet als",
    sign_out: "Abmelden",
    connect: "Einen Assistenten verbinden",
    steps: [
        "Öffne die Einstellungen des Assistenten, zum Beispiel von Claude oder ChatGPT, und füge einen Konnektor \
         hinzu. Wenn die App auf deinem Handy das nicht anbietet, nimm die Website des Assistenten.",
        "Gib diese Adresse ein:",
        "Melde dich auf der Seite an, die sich öffnet, und wähle, was der Assistent darf.",
    ],
    needs_key: "Hier braucht ein Assistent einen Schlüssel, also ein langes Passwort nur für ihn. Erstelle ihn auf dieser \
                Seite:",
    programs: "Technische Einzelheiten",
    endpoints: "Ein Programm schickt einen Schlüssel an einen dieser MCP-Endpunkte:",
    full_endpoint: "Liest, und ändert, was der Schlüssel erlaubt. Funktioniert nur, solange Programme und Assistenten \
                    erlaubt sind.",
    read_endpoint: "Liest nur, mit jedem Schlüssel.",
    secret: "Ersetze fam_… durch den Schlüssel. Die Datei enthält dann ein Geheimnis: Halte sie privat und lege sie in \
             keinem Repository ab.",
    check: "Einen Schlüssel prüfen",
    check_explanation: "Dieser Befehl zeigt eine Übersicht der Familiendaten, wenn der Schlüssel angenommen wird.",
    documentation: "API-Dokumentation",
    openapi: "OpenAPI-Dokument",
};

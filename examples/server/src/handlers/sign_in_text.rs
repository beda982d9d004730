//! The texts of the sign-in and sign-out pages.

use family_api_salvo::html::Language;

/// The texts of the sign-in and sign-out pages in one language.
#[derive(Debug)]
pub(super) struct SignInText {
    pub(super) sign_in: &'static str,
    pub(super) explanation: &'static str,
    pub(super) email: &'static str,
    pub(super) password: &'static str,
    pub(super) wrong: &'static str,
    /// The request seems to come from another site.
    pub(super) cross_site: &'static str,
    /// `{seconds}` is the time to wait.
    pub(super) too_many: &'static str,
    pub(super) incomplete: &'static str,
    /// The body is not the form of this page.
    pub(super) malformed: &'static str,
    pub(super) failed: &'static str,
    pub(super) sign_out: &'static str,
    pub(super) sign_out_effect: &'static str,
    pub(super) cancel: &'static str,
    pub(super) signed_out: &'static str,
    pub(super) signed_out_effect: &'static str,
}

impl SignInText {
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Ukrainian => &UKRAINIAN,
            Language::Spanish => &SPANISH,
            Language::German => &GERMAN,
        }
    }
}

const ENGLISH: SignInText = SignInText {
    sign_in: "Sign in",
    explanation: "Use the e-mail address and the password of your own account. If you have forgotten them, ask the \
                  person who runs this server.",
    email: "E-mail address",
    password: "Password",
    wrong: "The e-mail address or the password is wrong.",
    cross_site: "The server refused the request, because it seems to come from another site. \
                 Open this page at its usual address.",
    too_many: "Too many attempts. Try again in {seconds} sec.",
    incomplete: "Enter the e-mail address and the password.",
    malformed: "The server could not read the form. Load this page again and repeat the sign-in.",
    failed: "The server cannot sign you in at the moment. Try again shortly.",
    sign_out: "Sign out",
    sign_out_effect: "Your keys and connected apps keep working.",
    cancel: "Stay signed in",
    signed_out: "You are signed out",
    signed_out_effect: "On a shared device, close the browser too.",
};

const UKRAINIAN: SignInText = SignInText {
    sign_in: "Увійти",
    explanation: "Уведіть електронну адресу та пароль свого облікового запису. Якщо ви їх забули, зверніться до \
                  людини, відповідальної за цей сервер.",
    email: "Електронна адреса",
    password: "Пароль",
    wrong: "Електронна адреса або пароль неправильні.",
    cross_site: "Сервер відхилив запит, бо він, здається, надійшов з іншого сайту. \
                 Відкрийте цю сторінку за її звичайною адресою.",
    too_many: "Забагато спроб. Спробуйте ще раз через {seconds} сек.",
    incomplete: "Уведіть електронну адресу та пароль.",
    malformed: "Сервер не зміг прочитати форму. Оновіть цю сторінку й увійдіть ще раз.",
    failed: "Сервер зараз не може виконати вхід. Спробуйте трохи згодом.",
    sign_out: "Вийти",
    sign_out_effect: "Ваші ключі та підключені застосунки працюватимуть далі.",
    cancel: "Не виходити",
    signed_out: "Ви вийшли",
    signed_out_effect: "На спільному пристрої закрийте також браузер.",
};

const SPANISH: SignInText = SignInText {
    sign_in: "Iniciar sesión",
    explanation: "Usa el correo electrónico y la contraseña de tu propia cuenta. Si los has olvidado, pregunta a la \
                  persona encargada de este servidor.",
    email: "Correo electrónico",
    password: "Contraseña",
    wrong: "El correo electrónico o la contraseña no son correctos.",
    cross_site: "El servidor rechazó la petición porque parece venir de otro sitio. \
                 Abre esta página en su dirección habitual.",
    too_many: "Demasiados intentos. Inténtalo de nuevo dentro de {seconds} s.",
    incomplete: "Escribe el correo electrónico y la contraseña.",
    malformed: "El servidor no pudo leer el formulario. Recarga esta página y vuelve a iniciar sesión.",
    failed: "El servidor no puede iniciar la sesión en este momento. Inténtalo de nuevo en breve.",
    sign_out: "Cerrar sesión",
    sign_out_effect: "Tus claves y aplicaciones conectadas siguen funcionando.",
    cancel: "Mantener la sesión",
    signed_out: "Has cerrado la sesión",
    signed_out_effect: "En un dispositivo compartido, cierra también el navegador.",
};

const GERMAN: SignInText = SignInText {
    sign_in: "Anmelden",
    explanation: "Melde dich mit der E-Mail-Adresse und dem Passwort deines eigenen Kontos an. Wenn du sie vergessen \
                  hast, frag den Betreiber dieses Servers.",
    email: "E-Mail-Adresse",
    password: "Passwort",
    wrong: "Die E-Mail-Adresse oder das Passwort ist falsch.",
    cross_site: "Der Server hat die Anfrage abgelehnt, weil sie von einer anderen Website zu kommen scheint. \
                 Öffne diese Seite unter ihrer üblichen Adresse.",
    too_many: "Zu viele Versuche. Versuche es in {seconds} Sek. noch einmal.",
    incomplete: "Gib die E-Mail-Adresse und das Passwort ein.",
    malformed: "Der Server konnte das Formular nicht lesen. Lade diese Seite neu und melde dich noch einmal an.",
    failed: "Der Server kann dich gerade nicht anmelden. Versuche es gleich noch einmal.",
    sign_out: "Abmelden",
    sign_out_effect: "Deine Schlüssel und verbundenen Apps funktionieren weiter.",
    cancel: "Angemeldet bleiben",
    signed_out: "Du bist abgemeldet",
    signed_out_effect: "Schließe auf einem gemeinsam genutzten Gerät auch den Browser.",
};

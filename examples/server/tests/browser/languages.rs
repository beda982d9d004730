//! The languages of the pages.

use crate::site::browser_tests;

browser_tests! {
    async fn the_pages_speak_the_languages_of_the_browser(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let headings = [
            ("uk", "Вийти", "Створити ключ"),
            ("es-MX", "Cerrar sesión", "Crear una clave"),
            ("de-AT", "Abmelden", "Schlüssel erstellen"),
            ("en-GB", "Sign out", "Create a key"),
            ("tlh", "Sign out", "Create a key"),
        ];
        for (language, sign_out, create) in headings {
            page.set_language(language).await;
            page.open(&site.url("/logout")).await;
            page.wait_for_control("heading", sign_out).await;
            page.open(&site.url("/keys")).await;
            page.wait_for_control("heading", create).await;
        }
    }

    async fn a_chosen_language_stays(site: &Site) {
        let page = site.open("/login").await;
        page.click("link", "Deutsch").await;
        page.wait_for_control("button", "Anmelden").await;
        page.open(&site.url("/logout")).await;
        page.wait_for("Du bist abgemeldet").await;
    }
}

//! The language of the page.

use family_api_testing::programmers_words;

use crate::support::{app, get, get_with};

#[tokio::test]
async fn the_browser_the_cookie_and_the_address_select_the_language() {
    let app = app();
    for (path, cookie, accepted, language) in [
        ("/keys", "user=ana", "fr", "en"),
        ("/keys", "user=ana", "fr, uk;q=0.9, en;q=0.8", "uk"),
        ("/keys", "user=ana; family_language=es", "uk", "es"),
        ("/keys?lang=de", "user=ana; family_language=es", "uk", "de"),
        ("/keys?lang=xx", "user=ana; family_language=xx", "uk", "uk"),
    ] {
        let answer = get_with(&app, path, &[("cookie", cookie), ("accept-language", accepted)]).await;
        assert_eq!(answer.header("content-language"), Some(language), "{path} {cookie} {accepted}");
        assert!(answer.text.contains(&format!("<html lang=\"{language}\"")), "{}", answer.text);
    }
}

#[tokio::test]
async fn both_pages_are_written_for_families_in_each_language() {
    let app = app();
    for (language, title, deleted, bring_back) in [
        ("en", "Programs and assistants", "Recently deleted", "Bring back"),
        ("uk", "Програми й помічники", "Нещодавно видалене", "Повернути"),
        ("es", "Programas y asistentes", "Eliminado hace poco", "Recuperar"),
        ("de", "Programme und Assistenten", "Kürzlich gelöscht", "Zurückholen"),
    ] {
        for (path, title, part) in [
            ("/keys", title, format!("<a href=\"deleted\">{deleted}</a>")),
            ("/keys", title, "<details class=\"programs\"><summary>".to_owned()),
            ("/deleted", deleted, format!(">{bring_back}</button>")),
        ] {
            let page = get(&app, &format!("{path}?lang={language}")).await;
            assert_eq!((page.status, page.header("content-language")), (200, Some(language)));
            assert!(page.text.contains(&format!("<title>{title} · Family</title>")), "{}", page.text);
            assert!(page.text.contains(&part), "{language}: {}", page.text);
            assert_eq!(programmers_words(&page.text), [""; 0], "{language}: {}", page.text);
        }
    }
}

#[tokio::test]
async fn the_card_of_the_time_zone_is_in_each_language() {
    let app = app();
    for (language, title, save, device) in [
        ("en", "Time zone", "Save", "Use the time zone of this device"),
        ("uk", "Часовий пояс", "Зберегти", "Використати часовий пояс цього пристрою"),
        ("es", "Zona horaria", "Guardar", "Usar la zona horaria de este dispositivo"),
        ("de", "Zeitzone", "Speichern", "Zeitzone dieses Geräts verwenden"),
    ] {
        let page = get(&app, &format!("/keys?lang={language}")).await.text;
        for part in [
            format!("<h2 id=\"zone-title\" tabindex=\"-1\">{title}</h2>"),
            format!("<button class=\"primary\" type=\"submit\">{save}</button>"),
            format!("<button id=\"zone-of-device\" type=\"button\">{device}</button>"),
        ] {
            assert!(page.contains(&part), "{language}: {part}: {page}");
        }
    }
}

#[tokio::test]
async fn dates_follow_the_region_of_the_browser() {
    let app = app();
    for (path, accepted, tag) in [
        ("/keys", "en-GB,en;q=0.9,en-US;q=0.8", "en-GB"),
        ("/keys", "en-US,en;q=0.9", "en-US"),
        ("/keys", "de-at", "de-AT"),
        ("/keys", "es-419,es;q=0.9", "es-419"),
        ("/keys?lang=uk", "en-GB", "uk"),
        ("/keys", "en-\"><b>", "en"),
    ] {
        let page = get_with(&app, path, &[("cookie", "user=ana"), ("accept-language", accepted)]).await.text;
        assert!(page.contains(&format!("<html lang=\"{tag}\" ")), "{accepted}: {page}");
    }
}

#[tokio::test]
async fn only_a_selected_language_is_kept_in_a_cookie() {
    let app = app();
    let cookie = "family_language=uk; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax";
    assert_eq!(get(&app, "/keys?lang=uk").await.header("set-cookie"), Some(cookie));
    for path in ["/keys", "/keys?lang=xx", "/keys?lang=uk%0D%0Ax:y"] {
        assert_eq!(get(&app, path).await.header("set-cookie"), None, "{path}");
    }
}

#[tokio::test]
async fn links_to_other_languages_keep_the_query() {
    let answer = get(&app(), "/keys?name=%22%3E%3Cb%3E&lang=de&mode=v1_read").await;
    assert!(answer.text.contains("href=\"?name=%22%3E%3Cb%3E&amp;mode=v1_read&amp;lang=uk\""), "{}", answer.text);
    assert!(!answer.text.contains("\"><b>"));
}

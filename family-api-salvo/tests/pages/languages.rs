//! The language of the page.

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
async fn each_language_has_its_own_title() {
    let app = app();
    for (language, title) in [
        ("en", "Programs and assistants"),
        ("uk", "Програми й помічники"),
        ("es", "Programas y asistentes"),
        ("de", "Programme und Assistenten"),
    ] {
        let answer = get(&app, &format!("/keys?lang={language}")).await;
        assert!(answer.text.contains(&format!("<title>{title} · Family</title>")), "{language}");
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

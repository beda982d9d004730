//! Who gets the page.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::LazyLock;

use family_api_salvo::Pages;
use futures_util::future::poll_immediate;

use crate::log::LOG;
use crate::session::Gate;
use crate::support::{app, get, get_with, routes, routes_with, serve};

#[tokio::test]
async fn a_signed_out_visitor_is_led_to_the_sign_in_and_back() {
    for (path, location) in [
        ("/keys?name=a%20b&mode=mcp_read", "/login?next=%2Fkeys%3Fname%3Da%2520b%26mode%3Dmcp_read"),
        ("/deleted?lang=de", "/login?next=%2Fdeleted%3Flang%3Dde"),
    ] {
        let answer = get_with(&app(), path, &[]).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(location)));
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[tokio::test]
async fn without_a_sign_in_page_a_signed_out_visitor_is_told_so() {
    let app = serve(routes().pages(Pages::at("/keys").deleted_at("/deleted")));
    for path in ["/keys", "/deleted"] {
        let answer = get_with(&app, path, &[]).await;
        assert_eq!(answer.status, 401, "{path}");
        assert!(answer.text.contains("You are not signed in."), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_fault_of_the_sessions_is_told_in_words_and_logged() {
    LazyLock::force(&LOG);
    let answer =
        get_with(&app(), "/keys", &[("cookie", "user=*unreachable*"), ("x-request-id", "sessions-gone")]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    LOG.assert_line_with(&["WARN", "sessions-gone", "the session store is gone"]);
    assert!(answer.text.contains("The service is not available now"), "{}", answer.text);
    assert!(!answer.text.contains("gone"));
}

#[tokio::test]
async fn both_pages_have_all_security_headers() {
    let app = app();
    let (keys, deleted) = (get(&app, "/keys").await, get(&app, "/deleted").await);
    assert_eq!((keys.status, deleted.status), (200, 200));
    for (name, value) in [
        (
            "content-security-policy",
            "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; \
             require-trusted-types-for 'script'; trusted-types 'none'; form-action 'none'; frame-ancestors 'none'; \
             base-uri 'none'",
        ),
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("vary", "Accept-Language, Cookie"),
    ] {
        assert_eq!((keys.header(name), deleted.header(name)), (Some(value), Some(value)), "{name}");
    }
}

#[tokio::test]
async fn a_host_without_pages_serves_no_page_and_no_file() {
    let app = serve(routes());
    for path in ["/keys", "/api/assets/style-0000000000000000.css"] {
        let answer = get(&app, path).await;
        assert_eq!((answer.status, answer.header("cache-control")), (404, None), "{path}");
    }
}

#[tokio::test]
async fn a_refusal_of_a_limit_is_a_page() {
    let routes = || crate::support::routes().header_limit(100).pages(Pages::at("/account/keys"));
    let large = "x".repeat(200);
    for (language, title) in [
        ("en", "The server refused the request"),
        ("uk", "Сервер відхилив запит"),
        ("es", "El servidor rechazó la petición"),
        ("de", "Der Server hat die Anfrage abgelehnt"),
    ] {
        let headers = [("cookie", "user=ana"), ("accept-language", language), ("x-large", large.as_str())];
        let answer = get_with(&serve(routes()), "/account/keys", &headers).await;
        assert_eq!((answer.status, answer.header("content-language")), (431, Some(language)));
        assert!(answer.text.contains(&format!("<h1>{title}</h1>")), "{}", answer.text);
        assert!(answer.text.contains(" href=\"../api/assets/style-"), "{}", answer.text);
    }
}

#[tokio::test]
async fn overload_is_a_page_that_says_when_to_come_back() {
    let gate = Gate::closed();
    let app = serve(routes_with(gate.clone()).max_in_flight(NonZeroUsize::MIN).pages(Pages::at("/keys")));
    assert_eq!(get(&app, "/keys").await.status, 200);
    let mut first = pin!(get(&app, "/keys"));
    assert!(poll_immediate(&mut first).await.is_none());
    let second = get(&app, "/keys").await;
    assert_eq!((second.status, second.header("retry-after")), (503, Some("1")));
    assert!(second.text.contains("<h1>The service is not available now</h1>"), "{}", second.text);
    gate.open();
    assert_eq!(first.await.status, 200);
}

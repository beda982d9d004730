//! The server's own routes, and unknown paths and methods.

use family_api_testing::programmers_words;

use crate::backend::{Backend, on_each_backend};
use crate::client::{call, in_session, request, send, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;

on_each_backend! {
    a_running_server_is_healthy_and_ready,
}

async fn a_running_server_is_healthy_and_ready(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let server = sandbox.serve();
    for path in ["/healthz", "/readyz"] {
        let answer = call(&server, "GET", path).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, r#"{"status":"ok"}"#));
        let head = call(&server, "HEAD", path).await;
        assert_eq!((head.status, head.text.as_str(), head.header("content-length")), (200, "", Some("15")));
    }
}

#[tokio::test]
async fn robots_may_read_feeds_which_forbid_to_list_them() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let robots = call(&server, "GET", "/robots.txt").await;
    assert_eq!((robots.status, robots.text.as_str()), (200, "User-agent: *\nDisallow:\n"));
    assert_eq!(robots.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(call(&server, "HEAD", "/robots.txt").await.header("content-length"), Some("24"));
    let unknown = call(&server, "GET", "/calendar/famcal_x.ics").await;
    assert_eq!((unknown.status, unknown.header("x-robots-tag")), (404, Some("noindex")));
}

#[tokio::test]
async fn the_root_explains_how_to_connect_an_assistant() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let page = call(&server, "GET", "/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"), "{page:?}");
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'; "), "{page:?}");
    assert_eq!(page.text.matches(&format!("&quot;{}/api/v1/mcp&quot;", server.url)).count(), 4, "{}", page.text);
    assert!(!page.text.contains("{origin}"));
    for (link, status) in [("docs/", 200), ("openapi.json", 200), ("login", 200), ("keys", 303)] {
        assert!(page.text.contains(&format!("href=\"{link}\"")));
        assert_eq!(call(&server, "GET", &format!("/{link}")).await.status, status, "{link}");
    }
}

#[tokio::test]
async fn families_read_no_word_of_programmers_at_the_root() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    // An assistant needs a key on a host for which no public URL is set.
    for host in [server.address(), "family.example"] {
        for language in ["en", "uk", "es", "de"] {
            let request = request(&server, "GET", "/").header("host", host).header("accept-language", language);
            let page = send(request).await.text;
            assert_eq!(programmers_words(&page), [""; 0], "{language} {host}: {page}");
            assert!(page.contains("<details class=\"card programs\"><summary>"), "{page}");
        }
    }
}

#[tokio::test]
async fn the_root_knows_the_signed_in_user() {
    let (_sandbox, server) = Sandbox::on_sqlite().import_families().served();
    let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
    let page = in_session(&server, &cookie, "GET", "/", None).await;
    assert!(page.text.contains("Signed in as <strong dir=\"auto\">ana</strong>"), "{}", page.text);
    assert!(page.text.contains(" href=\"deleted\""), "{}", page.text);
    assert!(page.text.contains(" href=\"logout\"") && !page.text.contains(" href=\"login\""), "{}", page.text);
    assert_eq!(page.header("cache-control"), Some("no-store"));
    in_session(&server, &cookie, "POST", "/logout", None).await;
    let page = in_session(&server, &cookie, "GET", "/", None).await;
    assert!(page.text.contains(" href=\"login\"") && !page.text.contains(">ana<"), "{}", page.text);
}

#[tokio::test]
async fn the_root_shows_the_public_url_or_the_escaped_host() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve();
    let page = send(request(&server, "GET", "/").header("host", "a&b'c")).await;
    assert!(page.text.contains("http://a&amp;b'c/api/mcp") && !page.text.contains("a&b"), "{}", page.text);
    let server = sandbox.serve_with(&["--public-url", "https://family.example"], &[]);
    let page = send(request(&server, "GET", "/").header("host", "a&b'c")).await;
    assert!(page.text.contains("https://family.example/api/mcp") && !page.text.contains("a&amp;b"), "{}", page.text);
}

#[tokio::test]
async fn an_unknown_path_gets_404() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for path in ["/nonsense", "/api", "/api/chores", "/healthz/x", "/login/x", "/%ff"] {
        let answer = call(&server, "GET", path).await;
        assert_eq!(answer.problem(), (404, "not_found".to_owned()), "{path}");
        let private = path.starts_with("/api").then_some("private, no-cache");
        assert_eq!(answer.header("cache-control"), private, "{path}");
    }
    let detail = call(&server, "GET", "/mcp").await.json()["detail"].to_string();
    assert!(detail.contains("/api/v1/mcp"), "{detail}");
}

#[tokio::test]
async fn an_unsupported_method_gets_405_and_an_allow_header() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for (method, path, allow) in [
        ("POST", "/", "GET, HEAD"),
        ("DELETE", "/healthz", "GET, HEAD"),
        ("OPTIONS", "/readyz", "GET, HEAD"),
        ("POST", "/robots.txt", "GET, HEAD"),
        ("PUT", "/login", "GET, HEAD, POST"),
        ("PUT", "/logout", "GET, HEAD, POST"),
    ] {
        let answer = call(&server, method, path).await;
        assert_eq!(answer.problem(), (405, "method_not_allowed".to_owned()), "{method} {path}");
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
    }
}

#[tokio::test]
async fn the_log_contains_the_id_of_a_request() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&["--log", "json"], &[]);
    let answer = send(request(&server, "GET", "/healthz?q=1").header("x-request-id", "trace-me.1")).await;
    assert_eq!(answer.header("x-request-id"), Some("trace-me.1"));
    assert!(server.stop().success());
    let log = sandbox.log();
    let line = log.lines().find(|line| line.contains("trace-me.1")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!((line["method"].as_str(), line["route"].as_str()), (Some("GET"), Some("/healthz")));
    assert_eq!(line["status"], 200);
    assert!(line["ms"].as_f64().is_some_and(|ms| ms >= 0.0));
}

//! The configurations of nginx and Caddy in the folder `deploy`, with the real programs in front of the real server.

use std::net::Ipv4Addr;

use reqwest::RequestBuilder;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::audit::audit_lines;
use crate::backend::{Backend, async_test};
use crate::client::{Response, call, in_session, request, send, sign_in_request, with_token};
use crate::family::PASSWORD;
use crate::proxies::clients::{NAME, ProxyClients};
use crate::proxies::{Proxy, caddy, nginx};
use crate::sandbox::{Sandbox, Server};
use crate::session::KEYS;

/// The address of the browser. The proxy itself connects from 127.0.0.1.
const BROWSER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const OTHER_ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 4);

/// An address that no client has.
const FORGED: &str = "198.51.100.9";

family_api_testing::on_web_proxies! { async_test, the_configuration_of_nginx_works = works_behind(nginx::start) }
family_api_testing::on_web_proxies! { async_test, the_configuration_of_caddy_works = works_behind(caddy::start) }
family_api_testing::on_web_proxies! { async_test, nginx_limits_sign_ins_and_bodies = nginx_limits() }

/// Starts the server without a public URL: then the scheme and the host can only come from the proxy.
async fn server() -> (Sandbox, Server) {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let server = sandbox.serve_with(&["--trusted-proxy", "127.0.0.1", "--log", "json"], &[]);
    (sandbox, server)
}

/// Adds headers that pretend to come from another client.
fn forged(request: RequestBuilder) -> RequestBuilder {
    request
        .header("x-forwarded-for", FORGED)
        .header("x-forwarded-proto", "http")
        .header("x-forwarded-host", "evil.example")
        .header("forwarded", format!("for={FORGED};proto=http;host=evil.example"))
        // A proxy removes the headers that `Connection` names, but not those that it adds.
        .header("connection", "x-forwarded-for, x-forwarded-proto, x-forwarded-host")
}

async fn works_behind(start: fn(&Server) -> Proxy) {
    let (sandbox, server) = server().await;
    let proxy = start(&server);
    let clients = proxy.ready().await;
    plain_http_is_redirected(&clients).await;
    let cookie = a_browser_signs_in(&clients).await;
    a_program_reads_with_a_key(&clients, &cookie).await;
    large_requests_are_refused(&clients).await;
    paths_arrive_unchanged(&clients).await;
    let wrong = sign_in(&clients, ATTACKER, "https://family.example", "wrong").await;
    assert_eq!(wrong.problem(), (401, "not_signed_in".to_owned()));
    assert!(server.stop().success());
    assert_eq!(
        sign_ins(&sandbox.log()),
        [
            json!(["sign_in_failed", "ana", ATTACKER.to_string()]),
            json!(["signed_in", "ana", BROWSER.to_string()]),
            json!(["token_refused", null, BROWSER.to_string()]),
        ]
    );
    let unavailable = call(&clients.at(BROWSER), "GET", "/api/v1/me").await;
    assert_eq!(unavailable.problem(), (503, "unavailable".to_owned()));
    assert_eq!(unavailable.header("retry-after"), Some("1"));
    a_browser_gets_a_page_while_the_server_is_down(&clients).await;
}

async fn a_browser_gets_a_page_while_the_server_is_down(clients: &ProxyClients) {
    for method in ["GET", "POST"] {
        let request = request(&clients.at(BROWSER), method, "/login").header("accept", "text/html,*/*;q=0.8");
        let page = send(request).await;
        assert_eq!((page.status, page.header("retry-after")), (503, Some("1")), "{page:?}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{page:?}");
        assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"), "{page:?}");
        for title in [
            "The service is not available now",
            "Сервіс зараз недоступний",
            "El servicio no está disponible ahora",
            "Der Dienst ist gerade nicht verfügbar",
        ] {
            assert!(page.text.contains(title), "{page:?}");
        }
    }
}

/// Returns the event, user and address of the sign-ins and refused tokens, sorted.
fn sign_ins(log: &str) -> Vec<Value> {
    let lines = audit_lines(log).filter(|line| line.get("address").is_some());
    let mut lines: Vec<Value> = lines.map(|line| json!([line["event"], line["user"], line["address"]])).collect();
    lines.sort_by_key(Value::to_string);
    lines
}

async fn sign_in(clients: &ProxyClients, from: Ipv4Addr, origin: &str, password: &str) -> Response {
    let request = sign_in_request(&clients.at(from), "ana@family.example", password);
    send(forged(request).header("origin", origin)).await
}

async fn plain_http_is_redirected(clients: &ProxyClients) {
    let answer = call(&clients.without_tls(), "GET", "/keys?lang=de").await;
    assert_eq!(answer.status, 308, "{answer:?}");
    let location = answer.header("location").unwrap();
    assert!(location.starts_with("https://family.example") && location.ends_with("/keys?lang=de"), "{location}");
}

/// Signs in with the `Origin` of the proxy. Returns the session cookie.
async fn a_browser_signs_in(clients: &ProxyClients) -> String {
    let page = request(&clients.at(BROWSER), "GET", "/").header("accept", "text/html");
    let page = send(forged(page)).await;
    assert_eq!((page.status, page.header("strict-transport-security")), (200, Some("max-age=31536000")));
    assert!(page.text.contains(&format!("https://{NAME}/api/v1/mcp")), "{}", page.text);
    for origin in ["https://evil.example", "http://family.example", "null"] {
        let refused = sign_in(clients, BROWSER, origin, PASSWORD).await;
        assert_eq!(refused.problem(), (403, "cross_site_request".to_owned()), "{origin}");
    }
    let answer = sign_in(clients, BROWSER, "https://family.example", PASSWORD).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.header("set-cookie").unwrap().ends_with("; Secure"), "{answer:?}");
    answer.cookie()
}

async fn a_program_reads_with_a_key(clients: &ProxyClients, cookie: &str) {
    let client = &clients.at(BROWSER);
    let created = in_session(client, cookie, "POST", KEYS, Some(json!({ "mode": "v1_read" }))).await.json();
    let token = created["token"].as_str().unwrap();
    let notes = with_token(client, token, "GET", "/api/v1/read/notes", None).await;
    assert_eq!((notes.status, &notes.json()[0]["id"]), (200, &json!("wifi")));
    let cached = request(client, "GET", "/api/v1/read/notes").bearer_auth(token);
    assert_eq!(send(cached.header("if-none-match", notes.header("etag").unwrap())).await.status, 304);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "get_overview" } });
    let tool = with_token(client, token, "POST", "/api/v1/mcp", Some(call)).await;
    assert_eq!((tool.status, &tool.json()["result"]["isError"]), (200, &json!(false)), "{tool:?}");
}

async fn large_requests_are_refused(clients: &ProxyClients) {
    assert_eq!(post_large(clients, 300 * 1024).await.problem(), (413, "payload_too_large".to_owned()));
    let with_headers = |count: usize| {
        let lines = (0..count).map(|number| (format!("x-{number}"), "x".repeat(1_000)));
        let get = request(&clients.at(BROWSER), "GET", "/openapi.json");
        send(lines.fold(get, |request, (name, value)| request.header(name, value)))
    };
    assert_eq!(with_headers(10).await.status, 200);
    let refused = with_headers(60).await;
    assert!(matches!(refused.status, 400 | 431), "{refused:?}");
}

/// Sends a body to the sign-in.
async fn post_login(clients: &ProxyClients, from: Ipv4Addr, body: String) -> Response {
    send(request(&clients.at(from), "POST", "/login").header(CONTENT_TYPE, "application/json").body(body)).await
}

async fn post_large(clients: &ProxyClients, size: usize) -> Response {
    post_login(clients, BROWSER, "x".repeat(size)).await
}

/// The server knows each path in one spelling. A proxy that decodes or joins segments would change the answer.
async fn paths_arrive_unchanged(clients: &ProxyClients) {
    let client = &clients.at(BROWSER);
    let me = with_token(client, "wrong", "GET", "/api/v1/me", None).await;
    assert_eq!(me.problem(), (401, "invalid_token".to_owned()));
    for path in ["/%6cogin", "/login/", "//login", "/openapi.json/"] {
        let answer = call(client, "GET", path).await;
        assert_eq!(answer.problem(), (404, "not_found".to_owned()), "{path}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(call(client, "GET", path).await.status, 404, "{path}");
    }
}

async fn nginx_limits() {
    let (_sandbox, server) = server().await;
    let proxy = nginx::start(&server);
    let clients = proxy.ready().await;
    let mut passed = 0;
    // The limit refills by one attempt a second, so a slow machine may make more than 31.
    let refused = loop {
        let answer = post_login(&clients, ATTACKER, "{".to_owned()).await;
        if answer.status == 429 {
            break answer;
        }
        assert_eq!(answer.problem(), (400, "invalid_json".to_owned()));
        passed += 1;
        assert!(passed < 200);
    };
    assert!(passed >= 31, "{passed}");
    assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
    assert_eq!(refused.header("retry-after"), Some("1"));
    // Neither other clients nor other requests are limited.
    assert_eq!(post_login(&clients, OTHER_ATTACKER, "{".to_owned()).await.status, 400);
    for _ in 0..50 {
        assert_eq!(call(&clients.at(ATTACKER), "GET", "/login").await.status, 200);
    }
    // nginx refuses it without passing it on.
    assert_eq!(post_large(&clients, 3 * 1024 * 1024).await.problem(), (413, "payload_too_large".to_owned()));
}

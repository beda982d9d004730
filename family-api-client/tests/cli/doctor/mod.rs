//! `family doctor`, with the real routes and with servers that are wrong in one way each.

mod assistant_service;
mod feed;
mod feed_service;
#[cfg(feature = "tls")]
mod tls;

use serde_json::json;
use wiremock::ResponseTemplate;

use self::assistant_service::{AssistantService, challenge, problem};
use crate::sandbox::{Run, Sandbox, run};

/// Runs the checks of this URL.
fn doctor(url: &str) -> Run {
    run(&mut Sandbox::new().command(&["doctor", url]))
}

/// Asserts that exactly one check fails, with this name and part of the message.
#[track_caller]
fn assert_fails(run: &Run, name: &str, message: &str) {
    let failed: Vec<&str> = run.out.lines().filter(|line| line.starts_with("failed")).collect();
    assert_eq!(failed.len(), 1, "{run:?}");
    let line = failed[0];
    assert!(line.starts_with(&format!("failed   {name}: ")) && line.contains(message), "{line}");
    assert!(!run.out.contains('\u{1b}'), "{line:?}");
    assert_eq!((run.code, run.err.as_str()), (1, "family: 1 of the checks failed\n"));
}

#[test]
fn a_service_with_keys_only_passes() {
    let sandbox = Sandbox::new();
    let endpoint = format!("{}/api/v1/mcp", sandbox.service.url);
    for arguments in [&["doctor"][..], &["doctor", &endpoint]] {
        let out = run(&mut sandbox.command(arguments)).succeeded();
        assert!(out.contains("ok       /api/mcp: "), "{out}");
        assert!(out.contains("warning  metadata of /api/v1/mcp: connecting without a key is off"), "{out}");
        assert!(out.contains("ok       clock: ") && !out.contains("authorization"), "{out}");
    }
}

#[test]
fn a_service_that_connects_without_a_key_passes() {
    let service = AssistantService::start();
    let out = doctor(&service.url()).succeeded();
    assert!(out.contains("ok       authorization server: ") && out.contains("ok       token route: "), "{out}");
    assert_eq!(out.matches("\nok ").count(), 11, "{out}");
}

#[test]
fn the_checks_are_printed_as_json() {
    let service = AssistantService::start();
    let report = run(&mut Sandbox::new().command(&["doctor", "--json", &service.url()])).json();
    assert_eq!(report["url"], service.url());
    assert_eq!(report["checks"][0]["name"], "address");
    assert_eq!(report["checks"][0]["outcome"], "warning");
    assert!(report["checks"][0]["message"].as_str().unwrap().contains("127.0.0.1"));
}

#[test]
fn a_wrong_answer_of_an_endpoint_is_named() {
    let html = || ResponseTemplate::new(404).set_body_string("<h1>\u{1b}[31mproxy</h1>");
    let unauthorized = || ResponseTemplate::new(401).set_body_json(problem());
    for (answer, message) in [
        (html(), "404: the path does not reach the service"),
        (ResponseTemplate::new(200), "without a key"),
        (ResponseTemplate::new(308).insert_header("location", "https://h/"), "redirects to"),
        (ResponseTemplate::new(403), "firewall"),
        (ResponseTemplate::new(502), "Start the service"),
        (ResponseTemplate::new(503), "503 instead of 401"),
        (unauthorized(), "no header WWW-Authenticate"),
        (unauthorized().insert_header("www-authenticate", r#"Basic realm="x""#), "exempt"),
        (ResponseTemplate::new(401).insert_header("www-authenticate", "Bearer"), "not from this service"),
        (unauthorized().insert_header("www-authenticate", r#"Bearer error="invalid_token""#), "names an error"),
    ] {
        let service = AssistantService::start();
        service.replace("POST", "/api/mcp", answer);
        assert_fails(&doctor(&service.url()), "/api/mcp", message);
    }
}

#[test]
fn an_endpoint_that_is_not_mounted_is_named() {
    let service = AssistantService::start();
    let document = json!({ "openapi": "3.1.0", "paths": { "/api/v1/mcp": {} } });
    service.replace("GET", "/openapi.json", ResponseTemplate::new(200).set_body_json(document));
    assert_fails(&doctor(&service.url()), "/api/mcp", "does not mount");
}

#[test]
fn wrong_metadata_of_an_endpoint_is_named() {
    let at = "/.well-known/oauth-protected-resource/api/mcp";
    let name = "metadata of /api/mcp";
    let service = AssistantService::start();
    let right = json!({ "resource": format!("{}/api/mcp", service.url()), "authorization_servers": [service.url()] });
    let with = |field: &str, value: serde_json::Value| {
        let mut document = right.clone();
        document[field] = value;
        ResponseTemplate::new(200).set_body_json(document)
    };
    for (answer, message) in [
        (ResponseTemplate::new(404), "pass /.well-known/oauth-*"),
        (ResponseTemplate::new(200).set_body_string("<html>"), "pass /.well-known/oauth-*"),
        (with("resource", json!("http://localhost/api/mcp")), "set the public URL"),
        (with("resource", json!(format!("{}/api/mcp/", service.url()))), "and not the URL of the endpoint"),
        (with("authorization_servers", json!([])), "no authorization server"),
    ] {
        service.restore();
        service.replace("GET", at, answer);
        assert_fails(&doctor(&service.url()), name, message);
    }
}

#[test]
fn a_wrong_challenge_is_named() {
    let name = "metadata of /api/mcp";
    let at = "/.well-known/oauth-protected-resource/api/mcp";
    for (parameters, message) in [
        (String::new(), "does not name the metadata"),
        (format!(r#"resource_metadata="{at}", scope="mcp.read""#), "must be absolute"),
        (format!(r#"resource_metadata="http://localhost{at}", scope="mcp.read""#), "set the public URL"),
        (format!(r#"resource_metadata="URL{at}""#), "no scope"),
    ] {
        let service = AssistantService::start();
        service.replace("POST", "/api/mcp", challenge(&parameters.replace("URL", &service.url())));
        assert_fails(&doctor(&service.url()), name, message);
    }
}

#[test]
fn wrong_metadata_of_the_authorization_server_is_named() {
    let name = "authorization server";
    for (field, value, message) in [
        ("issuer", json!("\u{1b}[31mcanary"), r"its issuer is \u{1b}[31mcanary and not"),
        ("authorization_endpoint", json!("/oauth/authorize"), "not an absolute https URL"),
        ("token_endpoint", json!("http://family.example/oauth/token"), "not an absolute https URL"),
        ("token_endpoint", json!(null), "not an absolute https URL"),
        ("code_challenge_methods_supported", json!(["plain"]), "S256"),
    ] {
        let service = AssistantService::start();
        let mut document = service.authorization_server();
        document[field] = value;
        service.replace("GET", AssistantService::METADATA, ResponseTemplate::new(200).set_body_json(document));
        assert_fails(&doctor(&service.url()), name, message);
    }
    let service = AssistantService::start();
    service.replace("GET", AssistantService::METADATA, ResponseTemplate::new(404));
    assert_fails(&doctor(&service.url()), name, "pass /.well-known/oauth-*");
}

#[test]
fn a_server_without_registration_is_a_warning() {
    let service = AssistantService::start();
    let mut document = service.authorization_server();
    document["registration_endpoint"] = json!(null);
    document["client_id_metadata_document_supported"] = json!(false);
    service.replace("GET", AssistantService::METADATA, ResponseTemplate::new(200).set_body_json(document));
    assert!(doctor(&service.url()).succeeded().contains("warning  authorization server: "));
}

#[test]
fn a_route_of_the_authorization_server_that_does_not_pass_the_proxy_is_named() {
    let html = || ResponseTemplate::new(404).set_body_raw("<h1>not here</h1>", "text/html");
    let json = ResponseTemplate::new(200).set_body_json(json!({}));
    for (verb, at, answer, name, message) in [
        ("GET", "/oauth/authorize", html(), "authorization page", "pass this path"),
        ("POST", "/oauth/token", html(), "token route", "pass this path"),
        ("POST", "/oauth/register", html(), "registration", "/oauth/register answers with 404"),
        ("GET", "/oauth/authorize", ResponseTemplate::new(200), "sign-in page", "does not lead to a sign-in"),
        ("GET", "/login", html(), "sign-in page", "/login answers with 404: pass this path"),
        ("GET", "/login", json, "sign-in page", "/login answers with 200"),
    ] {
        let service = AssistantService::start();
        service.replace(verb, at, answer);
        assert_fails(&doctor(&service.url()), name, message);
    }
}

#[test]
fn a_page_of_the_standalone_server_that_does_not_pass_the_proxy_is_named() {
    let service = AssistantService::start();
    let mount = || {
        let document = json!({ "openapi": "3.1.0", "paths": { "/api/v1/mcp": {}, "/api/mcp": {}, "/logout": {} } });
        service.replace("GET", "/openapi.json", ResponseTemplate::new(200).set_body_json(document));
        let sign_in = ResponseTemplate::new(303).insert_header("location", "/login?next=%2Fkeys");
        let page = ResponseTemplate::new(200).set_body_raw("<html>", "text/html; charset=utf-8");
        let error = ResponseTemplate::new(400).set_body_json(json!({ "error": "invalid_request" }));
        for (verb, at, answer) in [
            ("GET", "/keys", &sign_in),
            ("GET", "/logout", &page),
            ("GET", "/authorize", &sign_in),
            ("POST", "/token", &error),
            ("POST", "/register", &error),
        ] {
            service.replace(verb, at, answer.clone());
        }
    };
    mount();
    assert_eq!(doctor(&service.url()).succeeded().matches("\nok ").count(), 16);
    for (verb, at) in
        [("GET", "/keys"), ("GET", "/logout"), ("GET", "/authorize"), ("POST", "/token"), ("POST", "/register")]
    {
        service.restore();
        service.replace(verb, at, ResponseTemplate::new(404).set_body_raw("<h1>not here</h1>", "text/html"));
        mount();
        assert_fails(&doctor(&service.url()), at, "answers with 404: pass this path");
    }
}

#[test]
fn no_client_is_registered_at_another_authorization_server() {
    let (service, other) = (AssistantService::start(), AssistantService::start());
    for endpoint in ["/api/v1/mcp", "/api/mcp"] {
        let document =
            json!({ "resource": format!("{}{endpoint}", service.url()), "authorization_servers": [other.url()] });
        let at = format!("/.well-known/oauth-protected-resource{endpoint}");
        service.replace("GET", &at, ResponseTemplate::new(200).set_body_json(document));
    }
    let out = doctor(&service.url()).succeeded();
    assert!(out.contains("ok       token route: ") && !out.contains("registration: "), "{out}");
}

#[test]
fn a_wrong_clock_is_a_warning() {
    let service = AssistantService::start();
    let answer = challenge("").insert_header("date", "Sat, 21 Nov 2020 10:00:00 GMT");
    service.replace("GET", "/api/v1/mcp", answer);
    assert!(doctor(&service.url()).succeeded().contains("warning  clock: the clocks"));
}

#[test]
fn an_unreachable_service_ends_the_checks() {
    assert_fails(&doctor("http://127.0.0.1:1"), "connection", "start the server");
    // A host name that never resolves (RFC 6761).
    let unknown = doctor("https://family.invalid");
    assert_fails(&unknown, "address", "type A");
    assert_eq!(unknown.out.lines().count(), 1);
}

#[test]
fn a_url_that_cannot_be_checked_is_a_usage_error() {
    for url in ["family.example", "ftp://family.example", "https://ana:canary@family.example"] {
        doctor(url).failed_with(2, &["must"]);
    }
    let sandbox = Sandbox::new();
    assert_eq!(run(&mut sandbox.command(&["doctor", "--url", "family.example"])).failed().0, 2);
}

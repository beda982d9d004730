//! `/login` and `/logout`.

use reqwest::header::{CONTENT_TYPE, COOKIE};
use serde_json::json;

use crate::backend::{Backend, on_each_backend};
use crate::client::{call, in_session, request, send, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Sandbox;

const ANA: &str = "ana@family.example";

on_each_backend! {
    a_json_sign_in_gets_the_profile_and_an_httponly_cookie,
    a_form_is_redirected_with_the_same_cookie,
    a_wrong_password_and_an_unknown_address_get_the_same_answer,
    many_faults_of_a_sign_in_give_a_small_response,
    another_site_can_neither_sign_in_nor_sign_out,
    signing_out_ends_only_this_session,
}

async fn a_json_sign_in_gets_the_profile_and_an_httponly_cookie(backend: Backend) {
    let (_sandbox, server) = Sandbox::with_families(backend).await.served();
    let answer = sign_in(&server, ANA, PASSWORD).await;
    assert_eq!((answer.status, answer.json()["email"].as_str()), (200, Some(ANA)));
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("family_session="));
    assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"), "{cookie}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(answer.header("vary") == Some("Cookie"));
}

async fn a_form_is_redirected_with_the_same_cookie(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--public-url", "https://family.example"], &[]);
    let form = request(&server, "POST", "/login")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header("origin", "https://family.example")
        .body("email=ana%40family.example&password=correct-horse");
    let answer = send(form).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
    assert!(answer.header("set-cookie").unwrap().ends_with("; Secure"));
    assert_eq!(in_session(&server, &answer.cookie(), "GET", "/api/users/me", None).await.status, 200);
}

async fn a_wrong_password_and_an_unknown_address_get_the_same_answer(backend: Backend) {
    let (_sandbox, server) = Sandbox::with_families(backend).await.served();
    let mut answers = Vec::new();
    for (email, password) in [
        (ANA, "wrong"),
        ("nobody@family.example", PASSWORD),
        ("ben@family.example", PASSWORD),
        ("ben@family.example", ""),
    ] {
        let answer = sign_in(&server, email, password).await;
        assert_eq!(answer.problem(), (401, "not_signed_in".to_owned()));
        assert_eq!(answer.json()["detail"], "The e-mail address or the password is wrong.");
        assert!(answer.header("set-cookie").is_none() && answer.header("www-authenticate").is_none());
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let request_id = answer.header("x-request-id").unwrap().to_owned();
        answers.push(answer.text.replace(&request_id, ""));
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
}

#[tokio::test]
async fn an_invalid_body_is_refused() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let large = format!(r#"{{"email":"{}"}}"#, "x".repeat(256 * 1024));
    let large_form = format!("email={}", "x".repeat(256 * 1024));
    for (media_type, body, expected) in [
        ("application/json", "{", (400, "invalid_json")),
        ("application/json", r#"{"email":"a","email":"b","password":"c"}"#, (400, "invalid_json")),
        ("application/json", "[]", (422, "invalid_field")),
        ("application/json", r#"{"email":"a"}"#, (422, "invalid_field")),
        ("application/json", r#"{"email":"a","password":1}"#, (422, "invalid_field")),
        ("application/json", r#"{"email":"a","password":"b","remember":true}"#, (422, "invalid_field")),
        ("application/json", &large, (413, "payload_too_large")),
        ("application/x-www-form-urlencoded", "email=a", (422, "invalid_field")),
        ("application/x-www-form-urlencoded", &large_form, (413, "payload_too_large")),
        ("text/plain", "x", (415, "unsupported_media_type")),
        ("multipart/form-data; boundary=x", "x", (415, "unsupported_media_type")),
    ] {
        let attempt = request(&server, "POST", "/login").header(CONTENT_TYPE, media_type).body(body.to_owned());
        assert_eq!(send(attempt).await.problem(), (expected.0, expected.1.to_owned()), "{media_type} {body:.60}");
    }
}

async fn many_faults_of_a_sign_in_give_a_small_response(backend: Backend) {
    let (_sandbox, server) = Sandbox::with_families(backend).await.served();
    let members: Vec<String> = (0..1_700).map(|number| format!(r#""{number}":0"#)).collect();
    let json = format!("{{{}}}", members.join(","));
    let form = (0..2_000).map(|number| number.to_string()).collect::<Vec<_>>().join("&");
    for (media_type, body, faults) in
        [("application/json", json, 1_702), ("application/x-www-form-urlencoded", form, 2_002)]
    {
        let attempt = request(&server, "POST", "/login").header(CONTENT_TYPE, media_type).body(body);
        let answer = send(attempt).await;
        assert_eq!((answer.status, &answer.json()["errorCount"]), (422, &json!(faults)), "{media_type}");
        assert!(answer.text.len() <= 16 * 1024, "{} bytes", answer.text.len());
    }
}

#[tokio::test]
async fn json_that_is_sent_as_a_form_does_not_echo_the_password() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let body = format!(r#" {{"email": "{ANA}", "password": "canary"}}"#);
    let form = request(&server, "POST", "/login").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = send(form.body(body)).await;
    assert_eq!(answer.problem(), (415, "unsupported_media_type".to_owned()));
    assert!(answer.text.contains("application/json") && !answer.text.contains("canary"), "{}", answer.text);
}

async fn another_site_can_neither_sign_in_nor_sign_out(backend: Backend) {
    let (_sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = sign_in(&server, ANA, PASSWORD).await.cookie();
    for path in ["/login", "/logout"] {
        for (header, value) in
            [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("origin", "null")]
        {
            let forged = request(&server, "POST", path)
                .header(header, value)
                .header(COOKIE, &cookie)
                .header(CONTENT_TYPE, "application/json")
                .body(json!({ "email": ANA, "password": PASSWORD }).to_string());
            let answer = send(forged).await;
            assert_eq!(answer.problem(), (403, "cross_site_request".to_owned()), "{path} {header}: {value}");
            assert!(answer.header("set-cookie").is_none());
        }
    }
    let without_session = send(request(&server, "POST", "/logout").header("sec-fetch-site", "cross-site")).await;
    assert_eq!(without_session.problem(), (401, "not_signed_in".to_owned()));
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
}

async fn signing_out_ends_only_this_session(backend: Backend) {
    let (_sandbox, server) = Sandbox::with_families(backend).await.served();
    let first = sign_in(&server, ANA, PASSWORD).await.cookie();
    let second = sign_in(&server, ANA, PASSWORD).await.cookie();
    let answer = in_session(&server, &first, "POST", "/logout", None).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "ok": true })));
    assert!(answer.header("set-cookie").unwrap().starts_with("family_session=; "));
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));

    let ended = in_session(&server, &first, "GET", "/api/users/me", None).await;
    assert_eq!(ended.problem(), (401, "not_signed_in".to_owned()));
    let again = in_session(&server, &first, "POST", "/logout", None).await;
    assert_eq!(again.problem(), (401, "not_signed_in".to_owned()));
    assert_eq!(call(&server, "POST", "/logout").await.problem(), (401, "not_signed_in".to_owned()));
    assert_eq!(in_session(&server, &second, "GET", "/api/users/me", None).await.status, 200);
    let both = format!("{second}; {second}");
    assert_eq!(in_session(&server, &both, "GET", "/api/users/me", None).await.status, 401);
}

//! Consent that the user has not given: forms of other sites, stale tabs, changed forms (RFC 9700, section 4.16).

use family_api_core::jiff::SignedDuration;
use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::harness::{
    OAuthApp, Parameters, READ_PATH, REDIRECT_URI, V1, assert_page, consent_form, form, redirect_parameter, request,
    tokens,
};
use crate::held_back_body::held_back_body;
use crate::storages::on_every_storage;

const INVALID: &str = "This answer is not valid";

fn allow(signed: &str) -> [(&'static str, &str); 3] {
    [("request", signed), ("decision", "allow"), ("access", "v1_read")]
}

fn with_headers(user: &str, signed: &str, headers: &[(&'static str, &str)]) -> RequestBuilder {
    let request = consent_form(user).body(form(&allow(signed)));
    headers.iter().fold(request, |request, (name, value)| request.add_header(*name, *value, true))
}

on_every_storage! {
    async fn form_of_another_site_has_no_effect(app: OAuthApp) {
        let signed = app.open_consent("ann", &Parameters::of(&app.client().await)).await;
        for headers in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site")],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[("origin", "http://family.example")],
            &[("origin", "https://family.example"), ("sec-fetch-site", "cross-site")],
        ] {
            let response = app.send(with_headers("ann", &signed, headers)).await;
            assert_page(&response, 403, "This answer came from another site");
        }
        assert_eq!(app.connections("ann").await, 0);
        let response = app.send(with_headers("ann", &signed, &[("origin", "https://family.example")])).await;
        assert!(redirect_parameter(&response, "code").is_some());
    }

    async fn stale_tab_of_another_user_has_no_effect(app: OAuthApp) {
        let signed = app.open_consent("ann", &Parameters::of(&app.client().await)).await;
        for decision in ["allow", "deny"] {
            let answer = [("request", signed.as_str()), ("decision", decision), ("access", "v1_read")];
            assert_page(&app.submit("eve", &answer).await, 403, "You are signed in as another user");
        }
        assert_eq!((app.connections("ann").await, app.connections("eve").await), (0, 0));
    }

    async fn page_expires_after_ten_minutes(app: OAuthApp) {
        let signed = app.open_consent("ann", &Parameters::of(&app.client().await)).await;
        app.clock.advance(SignedDuration::from_millis(10 * 60 * 1000 - 1));
        assert!(redirect_parameter(&app.submit("ann", &allow(&signed)).await, "code").is_some());
        let signed = app.open_consent("ann", &Parameters::of(&app.client().await)).await;
        app.clock.advance(SignedDuration::from_mins(10));
        assert_page(&app.submit("ann", &allow(&signed)).await, 400, "This page has expired");
    }

    async fn second_answer_is_refused_and_the_first_one_counts(app: OAuthApp) {
        let client = app.client().await;
        let signed = app.open_consent("ann", &Parameters::of(&client)).await;
        let code = redirect_parameter(&app.submit("ann", &allow(&signed)).await, "code").unwrap();
        let deny = [("request", signed.as_str()), ("decision", "deny")];
        for answer in [&allow(&signed)[..], &deny] {
            assert_page(&app.submit("ann", answer).await, 409, "You have already answered");
        }
        let tokens = tokens(&app.redeem(&client, &code).await);
        for answer in [&allow(&signed)[..], &deny] {
            assert_page(&app.submit("ann", answer).await, 409, "You have already answered");
        }
        assert_eq!(app.call(V1, &tokens.access).await, (200, None));
        // Without a connection, the denial is true.
        app.end_connections("ann").await;
        assert_eq!(app.call(V1, &tokens.access).await, (401, Some("invalid_token".to_owned())));
        assert_eq!(redirect_parameter(&app.submit("ann", &deny).await, "error").as_deref(), Some("access_denied"));
    }

    async fn page_tells_if_only_the_personal_api_was_switched_on(app: OAuthApp) {
        // A connection of the same client would be replaced.
        let (client, other) = (app.client().await, app.register("Another", &[REDIRECT_URI]).await);
        let read_path = Parameters::of(&other).with("resource", READ_PATH).with("scope", "mcp.read");
        for _ in 0..50 {
            app.connect("bob", &read_path).await;
            app.clock.advance(SignedDuration::from_secs(1));
        }
        let signed = app.open_consent("bob", &Parameters::of(&client)).await;
        let refused = app.submit("bob", &[&allow(&signed)[..], &[("personal_api", "enable")]].concat()).await;
        assert_page(&refused, 409, "You have too many connections");
        assert!(refused.text().contains("Programs and assistants are now switched on."), "{}", refused.text());
        let profile = app.send_as("bob", Method::GET, "/api/users/me").await.json();
        assert_eq!(profile["personalApiEnabled"], true);
    }

    async fn form_cannot_widen_or_change_the_request(app: OAuthApp) {
        let client = app.client().await;
        let signed = app.open_consent("ann", &Parameters::of(&client)).await;
        let altered = format!("A{}", &signed[1..]);
        for fields in [
            &[("request", signed.as_str()), ("decision", "allow"), ("access", "v1_read_write")][..],
            &[("request", &signed), ("decision", "allow"), ("access", "mcp_read")],
            &[("request", &signed), ("decision", "allow")],
            &[("request", &signed), ("access", "v1_read")],
            &[("request", &signed), ("decision", "allow"), ("decision", "deny"), ("access", "v1_read")],
            &[("request", &altered), ("decision", "allow"), ("access", "v1_read")],
            &[("request", &client), ("decision", "allow"), ("access", "v1_read")],
            &[("request", ""), ("decision", "allow"), ("access", "v1_read")],
            &[("decision", "allow"), ("access", "v1_read")],
        ] {
            assert_page(&app.submit("ann", fields).await, 400, INVALID);
        }
        let long = "x".repeat(17 * 1024);
        assert_page(&app.submit("ann", &[("request", &long)]).await, 413, INVALID);
        let json = request(Method::POST, "/oauth/consent").add_header("cookie", "user=ann", true).raw_json("{}");
        assert_page(&app.send(json).await, 415, INVALID);
        assert_eq!(app.connections("ann").await, 0);
    }

    async fn signed_consent_is_no_client_and_no_client_is_a_consent(app: OAuthApp) {
        let client = app.client().await;
        let signed = app.open_consent("ann", &Parameters::of(&client)).await;
        let page = app.authorize("ann", &Parameters::of(&client).with("client_id", &signed)).await;
        assert_page(&page, 400, "The app is unknown");
    }

    async fn session_that_ends_before_the_last_byte_has_no_effect(app: OAuthApp) {
        for has_ended in [true, false] {
            let signed = app.open_consent("ann", &Parameters::of(&app.client().await)).await;
            let form = form(&allow(&signed)).into_bytes();
            let (body, chunks) = held_back_body();
            let form_request = consent_form("ann").add_header("sec-fetch-site", "same-origin", true).body(body);
            let (head, last) = form.split_at(form.len() - 1);
            let sending = async {
                chunks.send(head.to_vec().into()).await.unwrap();
                // The channel has capacity again when the first bytes are read.
                let permit = chunks.reserve().await.unwrap();
                if has_ended {
                    app.end_sessions();
                }
                permit.send(last.to_vec().into());
                drop(chunks);
            };
            let (response, ()) = tokio::join!(app.send(form_request), sending);
            if has_ended {
                assert_page(&response, 401, "You are no longer signed in");
                app.resume_sessions();
                assert_eq!(app.connections("ann").await, 0);
            } else {
                assert!(redirect_parameter(&response, "code").is_some());
            }
        }
    }

    async fn name_of_a_client_cannot_imitate_the_page(app: OAuthApp) {
        let name = "</bdi><script>alert(1)</script>\u{202e}knab ruoY\u{2066}";
        let client = app.register(name, &[REDIRECT_URI]).await;
        let text = app.authorize("ann", &Parameters::of(&client)).await.text();
        assert!(text.contains("&lt;/bdi&gt;&lt;script&gt;alert(1)"), "{text}");
        // The only script is the module of the forms.
        assert_eq!(text.matches("<script").count(), 1, "{text}");
        assert!(!text.contains(['\u{202e}', '\u{2066}']), "{text}");
    }
}

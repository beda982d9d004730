//! Redirects to addresses that the client has not registered, and open redirects (RFC 9700, sections 4.1, 4.4, 4.11).

use salvo::http::Method;

use crate::harness::{
    ISSUER, OAuthApp, Parameters, REDIRECT_URI, STATE, assert_page, link_parameter, request, signed_request,
};
use crate::storages::on_every_storage;

const FOREIGN: &str = "The app wants to send you to an unknown address";
const MALFORMED: &str = "The app’s request is not valid";
const UNKNOWN: &str = "The app is unknown";

on_every_storage! {
    async fn other_redirect_address_is_never_followed(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await);
        for redirect_uri in [
            "https://evil.example/callback",
            "https://evil.example\\@assistant.example/callback",
            "https://assistant.example:443/callback",
            "https://assistant.example/callback/",
            "https://assistant.example/%63allback",
            "https://assistant.example/callback#",
            " https://assistant.example/callback",
            "https://assistant.example/callback\n",
            "javascript:alert(1)",
        ] {
            let request = parameters.clone().with("redirect_uri", redirect_uri);
            assert_page(&app.authorize("ann", &request).await, 400, FOREIGN);
            // The address matters even if the request has other errors. Without a session, nothing is looked at.
            let request = request.with("response_type", "token");
            assert_page(&app.authorize("ann", &request).await, 400, FOREIGN);
            let stranger = app.send(crate::harness::request(Method::GET, &request.path())).await;
            assert!(stranger.status == 303 && stranger.header("location").unwrap().starts_with("/login?next="));
        }
    }

    async fn request_without_a_certain_client_or_address_is_a_page(app: OAuthApp) {
        let client = app.client().await;
        let valid = Parameters::of(&client);
        let altered = format!("A{}", &client[1..]);
        for (parameters, title) in [
            (valid.clone().without("client_id"), MALFORMED),
            (valid.clone().with("client_id", ""), MALFORMED),
            (valid.clone().and("client_id", &client), MALFORMED),
            (valid.clone().without("redirect_uri"), MALFORMED),
            (valid.clone().and("redirect_uri", REDIRECT_URI), MALFORMED),
            (valid.clone().with("state", &"s".repeat(4_096)), MALFORMED),
            (valid.clone().with("client_id", "unknown"), UNKNOWN),
            (valid.with("client_id", &altered), UNKNOWN),
        ] {
            assert_page(&app.authorize("ann", &parameters).await, 400, title);
        }
    }

    async fn faulty_request_gets_a_page_with_a_link_to_the_client(app: OAuthApp) {
        let valid = Parameters::of(&app.client().await);
        for (parameters, error) in [
            (valid.clone().without("response_type"), "invalid_request"),
            (valid.clone().with("response_type", "token"), "unsupported_response_type"),
            (valid.clone().with("response_type", "code token"), "unsupported_response_type"),
            (valid.clone().and("response_type", "code"), "invalid_request"),
            (valid.clone().and("code_challenge", "x"), "invalid_request"),
            (valid.clone().and("scope", "v1.read"), "invalid_request"),
            (valid.clone().with("scope", "unknown"), "invalid_scope"),
            (valid.clone().with("scope", "mcp.read"), "invalid_scope"),
            (valid.clone().with("resource", "https://evil.example/api/v1/mcp"), "invalid_target"),
            (valid.clone().with("resource", "https://family.example/api/v1/mcp/"), "invalid_target"),
            (valid.clone().with("resource", "https://family.example/api/v1/me"), "invalid_target"),
            (valid.and("resource", "https://family.example/api/mcp"), "invalid_target"),
        ] {
            let page = app.authorize("ann", &parameters).await;
            assert_eq!(link_parameter(&page, "error").as_deref(), Some(error));
            assert_eq!(link_parameter(&page, "state").as_deref(), Some(STATE));
            assert_eq!(link_parameter(&page, "iss").as_deref(), Some(ISSUER));
            assert_eq!(link_parameter(&page, "code"), None);
            assert!(page.text().contains("<q><bdi>Assistant</bdi></q>"), "{}", page.text());
        }
    }

    // No parameter asks for an answer without the user.
    async fn valid_request_is_answered_by_the_user_only(app: OAuthApp) {
        let valid = Parameters::of(&app.client().await);
        for (name, value) in [
            ("prompt", "none"),
            ("max_age", "0"),
            ("response_mode", "form_post"),
            ("request", "eyJhbGciOiJub25lIn0.e30."),
            ("request_uri", "https://evil.example/request"),
        ] {
            let page = app.authorize("ann", &valid.clone().and(name, value)).await;
            assert_eq!((page.status, page.header("location")), (200, None), "{name}");
            assert!(page.text().contains(r#"name="decision""#), "{name}");
        }
    }

    async fn repeated_state_is_an_error_without_state(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await).and("state", "another");
        let page = app.authorize("ann", &parameters).await;
        assert_eq!(link_parameter(&page, "error").as_deref(), Some("invalid_request"));
        assert_eq!(link_parameter(&page, "state"), None);
    }

    async fn state_is_bounded_and_visible_ascii(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await);
        for state in ["s".repeat(1_025), "\u{1}".to_owned(), "\n".to_owned(), "\u{e9}".to_owned(), "\u{7f}".to_owned()] {
            let page = app.authorize("ann", &parameters.clone().with("state", &state)).await;
            assert_eq!(link_parameter(&page, "error").as_deref(), Some("invalid_request"), "{state:?}");
            assert_eq!(link_parameter(&page, "state"), None);
        }
    }

    async fn every_valid_request_can_be_answered(app: OAuthApp) {
        let quotes = "\"".repeat(100);
        let long: Vec<String> = (1..=2).map(|n| format!("{REDIRECT_URI}/{}", "a".repeat(440 + n))).collect();
        let client = app.register(&quotes, &[REDIRECT_URI, &long[0], &long[1]]).await;
        let state = "\\".repeat(1_024);
        let query = Parameters::of(&client).without("state").with("redirect_uri", &long[1]).path();
        // The browser does not encode a backslash in a query.
        let path = format!("{query}&state={state}");
        let page = app.send_as("ann", Method::GET, &path).await;
        let signed = signed_request(&page);
        let denied = app.submit("ann", &[("request", &signed), ("decision", "deny")]).await;
        assert_eq!(denied.status, 303, "{} bytes: {denied:?}", signed.len());
        assert!(denied.header("location").unwrap().starts_with(&long[1]));
    }

    async fn page_of_a_faulty_request_escapes_the_name_and_the_address(app: OAuthApp) {
        let client = app.register("<b>Bank</b>", &["https://assistant.example/?a='&b=1", "com.example.app:/back"]).await;
        for (redirect_uri, link) in [
            ("https://assistant.example/?a='&b=1", "<a href=\"https://assistant.example/?a='&amp;b=1&amp;error=invalid_scope&amp;"),
            ("com.example.app:/back", "<a href=\"com.example.app:/back?error=invalid_scope&amp;"),
        ] {
            let request = Parameters::of(&client).with("redirect_uri", redirect_uri).with("scope", "unknown");
            let page = app.authorize("ann", &request).await;
            assert_page(&page, 400, MALFORMED);
            let text = page.text();
            assert!(text.contains(link) && text.contains("&lt;b&gt;Bank") && !text.contains("<b>"), "{text}");
        }
    }

    async fn signed_out_user_signs_in_and_returns_to_the_same_request(app: OAuthApp) {
        let client = app.client().await;
        for (name, value) in [
            ("next", "https://evil.example"),
            ("return", "//evil.example"),
            ("lang", "{return}"),
            ("scope", "unknown"),
        ] {
            let parameters = Parameters::of(&client).and(name, value);
            let unknown_user = app.authorize("nobody", &parameters).await;
            for response in [app.send(request(Method::GET, &parameters.path())).await, unknown_user] {
                assert_eq!((response.status, response.header("cache-control")), (303, Some("no-store")), "{name}");
                let next = response.header("location").unwrap().strip_prefix("/login?next=").unwrap().to_owned();
                let decoded: Vec<_> = form_urlencoded::parse(next.as_bytes()).collect();
                assert!(decoded.len() == 1 && decoded[0].0 == parameters.path(), "{next}");
            }
        }
        for path in ["//evil.example/oauth/authorize", "/oauth//authorize", "/oauth/authorize/", "/oauth/%61uthorize"] {
            assert_eq!(app.send(request(Method::GET, &format!("{path}?client_id={client}"))).await.status, 404, "{path}");
        }
    }
}

//! The way of a client from the authorization request to the MCP endpoint.

use family_api_core::jiff::SignedDuration;
use family_api_salvo::OAuth;
use salvo::http::Method;
use salvo::{Router, Service};

use crate::harness::{
    ISSUER, OAuthApp, Parameters, READ_PATH, STATE, V1, link_parameter, redirect_parameter, request,
    revocation_request, tokens,
};
use crate::mounted;
use crate::storages::on_every_storage;
use crate::support::send;

const WRITE: &str = "v1.read v1.tasks.write v1.notes.write";

on_every_storage! {
    async fn client_with_consent_gets_tokens_for_its_endpoint(app: OAuthApp) {
        let client = app.client().await;
        let parameters = Parameters::of(&client).with("scope", WRITE);
        let signed = app.open_consent("ann", &parameters).await;
        assert_eq!(app.connections("ann").await, 0, "nothing is stored before consent");
        let answer = [("request", signed.as_str()), ("decision", "allow"), ("access", "v1_read_write")];
        let redirect = app.submit("ann", &answer).await;
        assert_eq!(redirect_parameter(&redirect, "state").as_deref(), Some(STATE));
        assert_eq!(redirect_parameter(&redirect, "iss").as_deref(), Some(ISSUER));
        assert_eq!(redirect_parameter(&redirect, "error"), None);
        assert_eq!(redirect.header("cache-control"), Some("no-store"));
        assert_eq!(redirect.header("referrer-policy"), Some("no-referrer"));

        let code = redirect_parameter(&redirect, "code").unwrap();
        let response = app.redeem(&client, &code).await;
        assert_eq!(response.header("cache-control"), Some("no-store"));
        assert_eq!(response.header("pragma"), Some("no-cache"));
        let body = response.json();
        assert_eq!((body["token_type"].as_str(), body["expires_in"].as_u64()), (Some("Bearer"), Some(3_600)));
        let tokens = tokens(&response);
        assert_eq!(tokens.scope, WRITE);
        assert_eq!(app.call(V1, &tokens.access).await, (200, None));
        assert_eq!(app.connections("ann").await, 1);
    }

    async fn refresh_replaces_both_tokens(app: OAuthApp) {
        let client = app.client().await;
        let first = app.connect("ann", &Parameters::of(&client)).await;
        app.clock.advance(SignedDuration::from_hours(1));
        assert_eq!(app.call(V1, &first.access).await, (401, Some("invalid_token".to_owned())));
        let second = tokens(&app.refresh(&client, &first.refresh).await);
        assert_ne!((&second.access, &second.refresh), (&first.access, &first.refresh));
        assert_eq!(second.scope, "v1.read");
        assert_eq!(app.call(V1, &second.access).await, (200, None));
        tokens(&app.refresh(&client, &second.refresh).await);
    }

    async fn signed_out_user_signs_in_and_returns(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await);
        let response = app.send(request(Method::GET, &parameters.path())).await;
        assert_eq!(response.status, 303, "{response:?}");
        let location = response.header("location").unwrap();
        let next = location.strip_prefix("/login?next=").unwrap();
        let decoded: Vec<_> = form_urlencoded::parse(next.as_bytes()).collect();
        assert_eq!(decoded.len(), 1, "{next}");
        assert_eq!(decoded[0].0, parameters.path());
        assert_eq!(response.header("cache-control"), Some("no-store"));
    }

    async fn missing_resource_and_scope_mean_reads_on_v1(app: OAuthApp) {
        let client = app.client().await;
        let parameters = Parameters::of(&client).without("resource").without("scope").without("state");
        let tokens = app.connect("ann", &parameters).await;
        assert_eq!(tokens.scope, "v1.read");
        assert_eq!(app.call(V1, &tokens.access).await, (200, None));
    }

    async fn read_path_needs_no_personal_api(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await).with("resource", READ_PATH).with("scope", "mcp.read");
        let tokens = app.connect("bob", &parameters).await;
        assert_eq!(tokens.scope, "mcp.read");
        assert_eq!(app.call(READ_PATH, &tokens.access).await, (200, None));
    }

    async fn scopes_of_other_resources_are_left_out(app: OAuthApp) {
        let scope = "offline_access openid mcp.read v1.notes.write";
        let tokens = app.connect("ann", &Parameters::of(&app.client().await).with("scope", scope)).await;
        assert_eq!(tokens.scope, "v1.read v1.notes.write");
    }

    async fn loopback_redirect_may_have_any_port(app: OAuthApp) {
        let client = app.register("CLI", &["http://127.0.0.1/callback"]).await;
        let parameters = Parameters::of(&client).with("redirect_uri", "http://127.0.0.1:49152/callback");
        let signed = app.open_consent("ann", &parameters).await;
        let answer = [("request", signed.as_str()), ("decision", "allow"), ("access", "v1_read")];
        let redirect = app.submit("ann", &answer).await;
        let location = redirect.header("location").unwrap();
        assert!(location.starts_with("http://127.0.0.1:49152/callback?code=famc_"), "{location}");
    }

    async fn revoked_token_ends_the_connection(app: OAuthApp) {
        let client = app.client().await;
        for is_refresh in [false, true] {
            let tokens = app.connect("ann", &Parameters::of(&client)).await;
            let token = if is_refresh { &tokens.refresh } else { &tokens.access };
            for _ in 0..2 {
                let fields = [("token", token.as_str()), ("client_id", &client), ("token_type_hint", "unknown")];
                assert_eq!(app.send(revocation_request(&fields)).await.status, 200);
            }
            assert_eq!(app.call(V1, &tokens.access).await, (401, Some("invalid_token".to_owned())));
            assert_eq!(app.refresh(&client, &tokens.refresh).await.status, 400);
            assert_eq!(app.connections("ann").await, 0);
        }
        assert_eq!(app.send(revocation_request(&[("token", "unknown")])).await.status, 200);
        assert_eq!(app.send(revocation_request(&[("token_type_hint", "access_token")])).await.status, 400);
    }

    // A client with a metadata document has the same id on every device of its user.
    async fn each_installation_of_a_client_has_its_own_connection(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await);
        let laptop = app.connect("ann", &parameters).await;
        let phone = app.connect("ann", &parameters).await;
        assert_eq!(app.connections("ann").await, 2);
        assert_eq!(app.call(V1, &laptop.access).await, (200, None));
        assert_eq!(app.send(revocation_request(&[("token", &phone.refresh)])).await.status, 200);
        assert_eq!(app.call(V1, &phone.access).await, (401, Some("invalid_token".to_owned())));
        assert_eq!(app.call(V1, &laptop.access).await, (200, None));
    }

    async fn revocation_by_another_client_has_no_effect(app: OAuthApp) {
        let tokens = app.connect("ann", &Parameters::of(&app.client().await)).await;
        let fields = [("token", tokens.refresh.as_str()), ("client_id", "another")];
        assert_eq!(app.send(revocation_request(&fields)).await.status, 200);
        assert_eq!(app.call(V1, &tokens.access).await, (200, None));
    }
}

/// The paths of an app that mounts the API below a prefix contain the prefix.
#[tokio::test]
async fn paths_below_a_prefix_contain_the_prefix() {
    let issuer = "https://family.example/home";
    let routes = mounted::routes(OAuth::new(issuer.parse().unwrap()).sign_in_at("/login?to={return}")).await;
    let app = Service::new(Router::new().push(Router::with_path("home").push(routes.into_router())));
    let client = mounted::register(&app, "/home/oauth/register").await;
    let path = Parameters::of(&client).with("resource", &format!("{issuer}/api/v1/mcp")).path();
    let path = format!("/home{path}");
    let signed_out = mounted::get(&app, &path).await;
    let location = signed_out.header("location").unwrap();
    assert!(location.starts_with("/login?to=%2Fhome%2Foauth%2Fauthorize%3F"), "{location}");
    let consent = mounted::request(Method::GET, &path).add_header("cookie", "user=ann", true);
    let consent = send(&app, consent).await;
    assert_eq!(consent.status, 200, "{consent:?}");
    assert!(consent.text().contains(r#"action="../oauth/consent""#), "{}", consent.text());
}

#[tokio::test]
async fn endpoint_that_is_not_mounted_is_no_resource() {
    let app = mounted::service(mounted::routes(OAuth::new(mounted::issuer())).await.without_v1());
    let client = mounted::register(&app, "/oauth/register").await;
    for parameters in [Parameters::of(&client), Parameters::of(&client).without("resource")] {
        let authorization = request(Method::GET, &parameters.path()).add_header("cookie", "user=ann", true);
        let page = send(&app, authorization).await;
        assert_eq!(link_parameter(&page, "error").as_deref(), Some("invalid_target"));
    }
}

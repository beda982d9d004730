//! The way of a client from the authorization request to the MCP endpoint.

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

    async fn resource_decides_which_scopes_are_granted(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await);
        let other_scopes = "offline_access openid mcp.read v1.notes.write";
        for (user, parameters, endpoint, scope) in [
            ("ann", parameters.clone().without("resource").without("scope").without("state"), V1, "v1.read"),
            ("ann", parameters.clone().with("scope", other_scopes), V1, "v1.read v1.notes.write"),
            // The personal API of Bob is off, which the read path does not need.
            ("bob", parameters.with("resource", READ_PATH).with("scope", "mcp.read"), READ_PATH, "mcp.read"),
        ] {
            let tokens = app.connect(user, &parameters).await;
            assert_eq!(tokens.scope, scope);
            assert_eq!(app.call(endpoint, &tokens.access).await, (200, None), "{scope}");
        }
    }

    async fn token_that_its_client_revokes_ends_the_connection(app: OAuthApp) {
        let client = app.client().await;
        for is_refresh in [false, true] {
            let tokens = app.connect("ann", &Parameters::of(&client)).await;
            let token = if is_refresh { &tokens.refresh } else { &tokens.access };
            let by_another = [("token", token.as_str()), ("client_id", "another")];
            assert_eq!(app.send(revocation_request(&by_another)).await.status, 200);
            assert_eq!(app.call(V1, &tokens.access).await, (200, None));
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
}

#[tokio::test]
async fn return_path_below_a_prefix_contains_the_prefix() {
    let issuer = "https://family.example/home";
    let routes = mounted::routes(OAuth::new(issuer.parse().unwrap()).sign_in_at("/login?to={return}")).await;
    let app = Service::new(Router::new().push(Router::with_path("home").push(routes.into_router())));
    let client = mounted::register(&app, "/home/oauth/register").await;
    let path = Parameters::of(&client).with("resource", &format!("{issuer}/api/v1/mcp")).path();
    let path = format!("/home{path}");
    let signed_out = mounted::get(&app, &path).await;
    let location = signed_out.header("location").unwrap();
    assert!(location.starts_with("/login?to=%2Fhome%2Foauth%2Fauthorize%3F"), "{location}");
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

//! Requests to the token endpoint that no client may send.

use salvo::http::Method;

use crate::harness::{OAuthApp, Parameters, VERIFIER, assert_token_error, redemption, request, token_request, tokens};
use crate::storages::on_every_storage;

on_every_storage! {
    async fn malformed_token_request_is_refused(app: OAuthApp) {
        let client = app.client().await;
        let code = app.code("ann", &Parameters::of(&client)).await;
        let valid = redemption(&client, &code);
        for missing in ["grant_type", "client_id", "code", "code_verifier"] {
            let fields: Vec<_> = valid.iter().copied().filter(|(name, _)| *name != missing).collect();
            assert_token_error(&app.token(&fields).await, 400, "invalid_request");
            assert_token_error(&app.token(&[&fields[..], &[(missing, "")]].concat()).await, 400, "invalid_request");
        }
        for repeated in ["grant_type", "client_id", "code", "code_verifier", "redirect_uri"] {
            let fields = [&valid[..], &[(repeated, "again")]].concat();
            assert_token_error(&app.token(&fields).await, 400, "invalid_request");
        }
        for grant_type in ["password", "client_credentials", "implicit", "Authorization_Code"] {
            let fields = [&[("grant_type", grant_type)], &valid[1..]].concat();
            assert_token_error(&app.token(&fields).await, 400, "unsupported_grant_type");
        }
        assert_token_error(&app.token(&[("grant_type", "refresh_token")]).await, 400, "invalid_request");
        // None of these attempts has used the code up.
        tokens(&app.token(&valid).await);
    }

    async fn client_that_authenticates_is_refused(app: OAuthApp) {
        let client = app.client().await;
        let code = app.code("ann", &Parameters::of(&client)).await;
        let valid = redemption(&client, &code);
        let basic = token_request(&valid).add_header("authorization", "basic YTpi", true);
        let response = app.send(basic).await;
        assert_token_error(&response, 401, "invalid_client");
        assert!(response.header("www-authenticate").unwrap().starts_with("Basic "));
        let fields = [&valid[..], &[("client_secret", "secret")]].concat();
        assert_token_error(&app.token(&fields).await, 401, "invalid_client");
        let fields = [&valid[..], &[("client_secret", ""), ("unknown", "1"), ("unknown", "2")]].concat();
        tokens(&app.token(&fields).await);
    }

    async fn unknown_client_must_register_again(app: OAuthApp) {
        let client = app.client().await;
        let granted = app.connect("ann", &Parameters::of(&client)).await;
        for unknown in ["unknown", "http://client.example/metadata", &client[1..]] {
            assert_token_error(&app.refresh(unknown, &granted.refresh).await, 401, "invalid_client");
        }
        // A document is not fetched here, so its client may exist.
        let other = app.refresh("https://client.example/metadata", &granted.refresh).await;
        assert_token_error(&other, 400, "invalid_grant");
        tokens(&app.refresh(&client, &granted.refresh).await);
    }

    async fn redirect_uri_may_be_left_out(app: OAuthApp) {
        let client = app.client().await;
        let code = app.code("ann", &Parameters::of(&client)).await;
        let fields = redemption(&client, &code);
        let fields: Vec<_> = fields.into_iter().filter(|(name, _)| *name != "redirect_uri").collect();
        tokens(&app.token(&fields).await);
    }

    async fn body_must_be_a_small_form(app: OAuthApp) {
        let json = request(Method::POST, "/oauth/token").raw_json(r#"{"grant_type":"authorization_code"}"#);
        assert_token_error(&app.send(json).await, 400, "invalid_request");
        assert_token_error(&app.send(request(Method::POST, "/oauth/token")).await, 400, "invalid_request");
        let long = "x".repeat(17 * 1024);
        assert_token_error(&app.token(&[("code", &long)]).await, 413, "invalid_request");
    }

    async fn endpoints_accept_only_their_method(app: OAuthApp) {
        for (method, path, allow) in [
            (Method::GET, "/oauth/token", "POST"),
            (Method::GET, "/oauth/revoke", "POST"),
            (Method::GET, "/oauth/consent", "POST"),
            (Method::POST, "/oauth/authorize", "GET, HEAD"),
        ] {
            let response = app.send(request(method, path)).await;
            assert_eq!((response.status, response.header("allow")), (405, Some(allow)), "{path}");
        }
    }

    async fn credentials_in_the_query_are_ignored(app: OAuthApp) {
        let client = app.client().await;
        let code = app.code("ann", &Parameters::of(&client)).await;
        let query = crate::harness::form(&redemption(&client, &code));
        let request = request(Method::POST, &format!("/oauth/token?{query}"));
        let request = request.add_header("content-type", "application/x-www-form-urlencoded", true);
        assert_token_error(&app.send(request.body(format!("code_verifier={VERIFIER}"))).await, 400, "invalid_request");
    }
}

//! Tokens at the wrong place, after their time or in the wrong hands (RFC 9700, sections 2.3, 4.10 and 4.14).

use family_api_core::jiff::SignedDuration;
use salvo::http::Method;

use crate::harness::{OAuthApp, Parameters, READ_PATH, V1, assert_token_error, request, tokens};
use crate::storages::on_every_storage;

fn refused(code: &str) -> (u16, Option<String>) {
    (401, Some(code.to_owned()))
}

on_every_storage! {
    async fn token_is_good_only_at_its_resource(app: OAuthApp) {
        let client = app.client().await;
        let v1 = app.connect("ann", &Parameters::of(&client).with("scope", "v1.read v1.tasks.write")).await;
        let read_path = Parameters::of(&client).with("resource", READ_PATH).with("scope", "mcp.read");
        let read_path = app.connect("ann", &read_path).await;
        assert_eq!(app.call(READ_PATH, &v1.access).await, refused("invalid_token"));
        assert_eq!(app.call(V1, &read_path.access).await, refused("invalid_token"));
        for path in ["/api/v1/me", "/api/v1/read/tasks", "/api/mcp/read/tasks", "/api/v1/unknown"] {
            for access in [&v1.access, &read_path.access] {
                let response = app.send(request(Method::GET, path).bearer_auth(access)).await;
                response.assert_problem(401, "invalid_token");
            }
        }
        let response = app.send(request(Method::GET, "/api/users/me").bearer_auth(&v1.access)).await;
        response.assert_problem(401, "not_signed_in");
        assert_eq!(app.call(V1, &v1.access).await, (200, None));
    }

    async fn refresh_token_and_code_are_no_access_tokens(app: OAuthApp) {
        let client = app.client().await;
        let code = app.code("ann", &Parameters::of(&client)).await;
        assert_eq!(app.call(V1, &code).await, refused("invalid_token"));
        let tokens = tokens(&app.redeem(&client, &code).await);
        assert_eq!(app.call(V1, &tokens.refresh).await, refused("invalid_token"));
        assert_token_error(&app.refresh(&client, &tokens.access).await, 400, "invalid_grant");
        assert_eq!(app.call(V1, &tokens.access).await, (200, None));
    }

    async fn reused_refresh_token_ends_the_connection(app: OAuthApp) {
        let client = app.client().await;
        let first = app.connect("ann", &Parameters::of(&client)).await;
        let second = tokens(&app.refresh(&client, &first.refresh).await);
        app.clock.advance(SignedDuration::from_mins(1));
        let third = tokens(&app.refresh(&client, &second.refresh).await);
        assert_token_error(&app.refresh(&client, &first.refresh).await, 400, "invalid_grant");
        assert_token_error(&app.refresh(&client, &third.refresh).await, 400, "invalid_grant");
        assert_eq!(app.call(V1, &third.access).await, refused("invalid_token"));
        assert_eq!(app.connections("ann").await, 0);
    }

    async fn repeated_refresh_gets_the_same_tokens_for_a_minute(app: OAuthApp) {
        let client = app.client().await;
        let first = app.connect("ann", &Parameters::of(&client)).await;
        let second = tokens(&app.refresh(&client, &first.refresh).await);
        let expected = (second.access.as_str(), second.refresh.as_str());
        app.clock.advance(SignedDuration::from_secs(59));
        for refresh in [&first.refresh, &second.refresh, &first.refresh] {
            let again = tokens(&app.refresh(&client, refresh).await);
            assert_eq!((again.access.as_str(), again.refresh.as_str()), expected);
        }
        assert_eq!(app.call(V1, &second.access).await, (200, None));
        app.clock.advance(SignedDuration::from_secs(1));
        assert_token_error(&app.refresh(&client, &first.refresh).await, 400, "invalid_grant");
        assert_eq!(app.call(V1, &second.access).await, refused("invalid_token"));
        assert_eq!(app.connections("ann").await, 0);
    }

    async fn refresh_cannot_widen_the_scope_or_change_the_resource(app: OAuthApp) {
        let client = app.client().await;
        let granted = app.connect("ann", &Parameters::of(&client).with("scope", "v1.read v1.notes.write")).await;
        let refresh = [("grant_type", "refresh_token"), ("client_id", client.as_str())];
        for (field, value, error) in [
            ("scope", "v1.read v1.tasks.write", "invalid_scope"),
            ("scope", "mcp.read", "invalid_scope"),
            ("scope", "unknown", "invalid_scope"),
            ("scope", " ", "invalid_scope"),
            ("resource", READ_PATH, "invalid_target"),
            ("resource", "https://evil.example", "invalid_target"),
        ] {
            let fields = [&refresh[..], &[("refresh_token", granted.refresh.as_str()), (field, value)]].concat();
            assert_token_error(&app.token(&fields).await, 400, error);
        }
        assert_token_error(&app.refresh("https://another.example/client", &granted.refresh).await, 400, "invalid_grant");
        // None of these attempts has used the refresh token up.
        let narrow = [("refresh_token", granted.refresh.as_str()), ("scope", "v1.read"), ("resource", V1)];
        let narrow = tokens(&app.token(&[&refresh[..], &narrow].concat()).await);
        assert_eq!(narrow.scope, "v1.read");
        assert_eq!(tokens(&app.refresh(&client, &narrow.refresh).await).scope, "v1.read v1.notes.write");
    }

    async fn refresh_token_expires_sixty_days_after_its_last_use(app: OAuthApp) {
        let client = app.client().await;
        let mut granted = app.connect("ann", &Parameters::of(&client)).await;
        for _ in 0..2 {
            app.clock.advance(SignedDuration::from_hours(60 * 24 - 1));
            granted = tokens(&app.refresh(&client, &granted.refresh).await);
        }
        app.clock.advance(SignedDuration::from_hours(60 * 24));
        assert_token_error(&app.refresh(&client, &granted.refresh).await, 400, "invalid_grant");
    }

    async fn access_follows_the_family_and_the_personal_api(app: OAuthApp) {
        let client = app.client().await;
        let ann = app.connect("ann", &Parameters::of(&client)).await;
        app.set_personal_api("ann", "false").await;
        assert_eq!(app.call(V1, &ann.access).await, refused("api_disabled"));
        app.set_personal_api("ann", "true").await;
        assert_eq!(app.call(V1, &ann.access).await, (200, None));
        // Cid has no family.
        let cid = app.connect("cid", &Parameters::of(&client)).await;
        assert_eq!(app.call(V1, &cid.access).await, refused("no_family"));
    }

    async fn connection_that_the_user_ends_is_dead_at_once(app: OAuthApp) {
        let client = app.client().await;
        let ended = app.connect("ann", &Parameters::of(&client)).await;
        app.end_connections("ann").await;
        assert_eq!(app.call(V1, &ended.access).await, refused("invalid_token"));
        assert_token_error(&app.refresh(&client, &ended.refresh).await, 400, "invalid_grant");
    }
}

//! Tokens at the wrong place, after their time or in the wrong hands (RFC 9700, sections 2.3, 4.10 and 4.14).

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
}

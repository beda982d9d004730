//! Each path has only one accepted spelling (HTTP reference, "Base URL and paths").

use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, CookieAuthenticator, TestResponse, TestServer, anonymous, token};

/// Spellings of bearer routes that are not accepted, for example with a final slash.
const BEARER_SPELLINGS: [(Method, &str); 10] = [
    (Method::GET, "/api/v1/me/"),
    (Method::GET, "/api/v1//me"),
    (Method::GET, "//api/v1/me"),
    (Method::GET, "/api/v1/%6de"),
    (Method::GET, "/%61pi/v1/me"),
    (Method::GET, "/api/v1/read/%6eotes"),
    (Method::GET, "/api/mcp/read/notes/"),
    (Method::GET, "/api/mcp/%72ead/notes"),
    (Method::PATCH, "/api/v1/notes/note-berg/"),
    (Method::PATCH, "/api/v1/notes//note-berg"),
];

/// Spellings of session routes and public routes that are not accepted.
const SESSION_AND_PUBLIC_SPELLINGS: [(Method, &str); 13] = [
    (Method::GET, "/api/users/me/"),
    (Method::GET, "/api//users/me"),
    (Method::GET, "/api/users/%6de"),
    (Method::GET, "/api/users/me/mcp-tokens/"),
    (Method::GET, "/api/users/me/connections/"),
    (Method::PATCH, "/api/notes/note-berg/"),
    (Method::PATCH, "/api/n%6ftes/note-berg"),
    (Method::GET, "/openapi.json/"),
    (Method::GET, "//openapi.json"),
    (Method::GET, "/docs//"),
    (Method::GET, "/%64ocs"),
    (Method::GET, "/docs/swagger-ui.css/"),
    (Method::GET, "/docs/swagger-ui%2Ecss"),
];

fn app_under_a_prefix(app: &App) -> App {
    app.with_routes(|api| {
        let family = FamilyRoutes::new(api).session(CookieAuthenticator).into_router();
        Router::new().push(Router::with_path("home/{name}").push(family))
    })
}

#[track_caller]
fn assert_host_404(response: &TestResponse) {
    // The host of this test uses salvo's default 404 page, which has no `Cache-Control`.
    assert_eq!((response.status, response.header("cache-control")), (404, None));
}

on_every_storage! {
    async fn other_spelling_of_a_bearer_route_is_404(app: App) {
        for (method, path) in BEARER_SPELLINGS {
            app.send(anonymous(method.clone(), path)).await.assert_problem(401, "missing_token");
            let on_v1 = path.contains("v1");
            let expected = if on_v1 { (401, "api_disabled") } else { (404, "not_found") };
            app.send_with_token("bob-rw", method.clone(), path).await.assert_problem(expected.0, expected.1);
            // An unknown path requires no scope.
            app.send_with_token("ann-none", method.clone(), path).await.assert_problem(404, "not_found");
            app.send_with_token("ann-rw", method.clone(), path).await.assert_problem(404, "not_found");
            // An unknown path gets 404 and not 405, with any method.
            app.send_with_token("ann-rw", Method::PUT, path).await.assert_problem(404, "not_found");
        }
    }

    async fn other_spelling_of_a_session_or_public_route_goes_to_the_host(app: App) {
        for (method, path) in SESSION_AND_PUBLIC_SPELLINGS {
            assert_host_404(&app.send_in_session("ann", method, path).await);
            assert_host_404(&app.send_in_session("ann", Method::PUT, path).await);
        }
    }

    async fn percent_encoded_id_is_the_same_id(app: App) {
        for id in ["note-berg", "%6eote-berg", "note%2Dberg", "%6E%6F%74%65%2D%62%65%72%67"] {
            app.send_json_with_token("ann-rw", Method::PATCH, &format!("/api/v1/notes/{id}"), "{}").await.assert_ok();
            app.send_json_in_session("ann", Method::PATCH, &format!("/api/notes/{id}"), "{}").await.assert_ok();
        }
    }

    async fn host_prefix_accepts_any_spelling_but_api_paths_do_not(app: App) {
        let app = app_under_a_prefix(&app);
        for prefix in ["/home/x", "/home/x%20y", "/h%6fme/x"] {
            app.send_with_token("ann-rw", Method::GET, &format!("{prefix}/api/v1/me")).await.assert_ok();
            app.send_in_session("ann", Method::GET, &format!("{prefix}/api/users/me")).await.assert_ok();
            for (method, path) in BEARER_SPELLINGS {
                app.send_with_token("ann-rw", method, &format!("{prefix}{path}"))
                    .await
                    .assert_problem(404, "not_found");
            }
            for (method, path) in SESSION_AND_PUBLIC_SPELLINGS {
                assert_host_404(&app.send_in_session("ann", method, &format!("{prefix}{path}")).await);
            }
        }
        app.send_with_token("ann-rw", Method::GET, "//home/x/api/v1/me").await.assert_problem(404, "not_found");
    }

    async fn raw_path_is_checked_over_a_socket(app: App) {
        let server = TestServer::start(app.service).await;
        for (target, status) in [
            ("/api/v1/me", "200"),
            ("/api/v1/me?", "200"),
            ("http://family.example/api/v1/me", "200"),
            ("http://family.example//api/v1/me", "404"),
            ("/api/v1/./me", "404"),
            ("/api/v1/x/../me", "404"),
            ("/api/v1/me/?x=1", "404"),
            ("/api/v1/m%65", "404"),
            ("/api/v1/me%00", "404"),
            ("/api/v1/me;x", "404"),
        ] {
            let head = format!(
                "GET {target} HTTP/1.1\r\nhost: family.example\r\nauthorization: Bearer {}\r\n\
                 connection: close\r\n\r\n",
                token("ann-read")
            );
            let (response, _) = server.send(head.as_bytes()).await;
            assert!(response.starts_with(&format!("http/1.1 {status}")), "{target}: {response}");
        }
    }
}

//! Each path has one spelling (HTTP reference, "Base URL and paths").

use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{Answer, App, CookieUser, Socket, anonymous, token};

/// Other spellings of bearer routes.
const BEARER: [(Method, &str); 10] = [
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

/// Other spellings of session routes and open routes.
const OTHERS: [(Method, &str); 12] = [
    (Method::GET, "/api/users/me/"),
    (Method::GET, "/api//users/me"),
    (Method::GET, "/api/users/%6de"),
    (Method::GET, "/api/users/me/mcp-tokens/"),
    (Method::PATCH, "/api/notes/note-berg/"),
    (Method::PATCH, "/api/n%6ftes/note-berg"),
    (Method::GET, "/openapi.json/"),
    (Method::GET, "//openapi.json"),
    (Method::GET, "/docs//"),
    (Method::GET, "/%64ocs"),
    (Method::GET, "/docs/swagger-ui.css/"),
    (Method::GET, "/docs/swagger-ui%2Ecss"),
];

fn under_a_prefix(app: &App) -> App {
    app.mounted(|api| {
        let family = FamilyRoutes::new(api).session(CookieUser).into_router();
        Router::new().push(Router::with_path("home/{name}").push(family))
    })
}

#[track_caller]
fn is_host_404(answer: &Answer) {
    // The host's own 404. Here it is salvo's default page.
    assert_eq!((answer.status, answer.header("cache-control")), (404, None));
}

on_every_storage! {
    async fn other_spelling_below_a_base_is_404(app: App) {
        for (method, path) in BEARER {
            app.send(anonymous(method.clone(), path)).await.is(401, "missing_token");
            let on_v1 = path.contains("v1");
            let expected = if on_v1 { (401, "api_disabled") } else { (404, "not_found") };
            app.with_token("bob-rw", method.clone(), path).await.is(expected.0, expected.1);
            // An unknown path requires no scope.
            app.with_token("ann-none", method.clone(), path).await.is(404, "not_found");
            app.with_token("ann-rw", method.clone(), path).await.is(404, "not_found");
            // An unknown path has no methods.
            app.with_token("ann-rw", Method::PUT, path).await.is(404, "not_found");
        }
    }

    async fn other_spelling_outside_the_bases_goes_to_the_host(app: App) {
        for (method, path) in OTHERS {
            is_host_404(&app.in_session("ann", method, path).await);
            is_host_404(&app.in_session("ann", Method::PUT, path).await);
        }
    }

    async fn percent_encoded_id_is_the_same_id(app: App) {
        for id in ["note-berg", "%6eote-berg", "note%2Dberg", "%6E%6F%74%65%2D%62%65%72%67"] {
            app.write_with_token("ann-rw", Method::PATCH, &format!("/api/v1/notes/{id}"), "{}").await.is_ok();
            app.write_in_session("ann", Method::PATCH, &format!("/api/notes/{id}"), "{}").await.is_ok();
        }
    }

    async fn page_is_served_with_its_files(app: App) {
        for (path, status) in [("/docs", 308), ("/docs/", 200), ("/docs/swagger-ui.css", 200), ("/openapi.json", 200)] {
            assert_eq!(app.send(anonymous(Method::GET, path)).await.status, status, "{path}");
        }
    }

    async fn prefix_can_have_any_spelling_but_our_paths_only_one(app: App) {
        let app = under_a_prefix(&app);
        for prefix in ["/home/x", "/home/x%20y", "/h%6fme/x"] {
            app.with_token("ann-rw", Method::GET, &format!("{prefix}/api/v1/me")).await.is_ok();
            app.in_session("ann", Method::GET, &format!("{prefix}/api/users/me")).await.is_ok();
            for (method, path) in BEARER {
                app.with_token("ann-rw", method, &format!("{prefix}{path}")).await.is(404, "not_found");
            }
            for (method, path) in OTHERS {
                is_host_404(&app.in_session("ann", method, &format!("{prefix}{path}")).await);
            }
        }
        app.with_token("ann-rw", Method::GET, "//home/x/api/v1/me").await.is(404, "not_found");
    }

    async fn raw_path_is_checked_over_a_socket(app: App) {
        let socket = Socket::serve(app.service).await;
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
                "GET {target} HTTP/1.1\r\nhost: family.example\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
                token("ann-read")
            );
            let (answer, _) = socket.send(head.as_bytes()).await;
            assert!(answer.starts_with(&format!("http/1.1 {status}")), "{target}: {answer}");
        }
    }
}

//! The family routes inside a host app with routes of its own.

use family_api_salvo::FamilyRoutes;
use salvo::http::{Method, StatusCode};
use salvo::prelude::{Text, handler};
use salvo::{Response, Router};

use crate::storages::on_every_storage;
use crate::support::{App, CookieAuthenticator, TestResponse, anonymous};

#[handler]
fn host_page() -> &'static str {
    "the host"
}

#[handler]
fn host_404(res: &mut Response) {
    res.status_code(StatusCode::NOT_FOUND);
    res.render(Text::Plain("404 of the host"));
}

/// Returns a host router with other routes next to the family routes, and a 404 page.
fn host_router(family: FamilyRoutes) -> Router {
    Router::new()
        .push(Router::with_path("api/tasks/{id}").put(host_page))
        .push(Router::with_path("api/tasks").get(host_page))
        .push(family.into_router())
        .push(Router::with_path("api/tasks/{id}/comments").get(host_page))
        .push(Router::with_path("api/users/{id}").get(host_page))
        .push(Router::with_path("api/v2/me").get(host_page))
        .push(Router::with_path("api/v10/me").get(host_page))
        .push(Router::with_path("api/users/me/avatar").get(host_page))
        .push(Router::with_path("{**rest}").goal(host_404))
}

async fn get(app: &App, path: &str) -> TestResponse {
    app.send(anonymous(Method::GET, path)).await
}

#[track_caller]
fn assert_host_404(response: &TestResponse) {
    assert_eq!((response.status, response.text().as_str()), (404, "404 of the host"));
    assert_eq!(response.header("x-request-id"), None);
    assert_eq!(response.header("cache-control"), None);
}

on_every_storage! {
    async fn host_routes_and_host_404_still_work(app: App) {
        let app = app.with_routes(|api| host_router(FamilyRoutes::new(api).session(CookieAuthenticator)));
        for path in [
            "/api/tasks",
            "/api/tasks/x/comments",
            "/api/users/other",
            "/api/v2/me",
            "/api/v10/me",
            "/api/users/me/avatar",
        ] {
            let response = get(&app, path).await;
            assert_eq!((response.status, response.text().as_str()), (200, "the host"), "{path}");
            assert_eq!(response.header("x-request-id"), None, "{path}");
        }
        assert_eq!(app.send_in_session("ann", Method::PUT, "/api/tasks/task-berg").await.text(), "the host");
        app.send_json_in_session("ann", Method::PATCH, "/api/tasks/task-berg", "{}").await.assert_ok();
        let created = app.send_json_in_session("ann", Method::POST, "/api/tasks", r#"{"title":"Mop"}"#).await;
        assert_eq!(created.status, 201, "{created:?}");
        for path in ["/", "/api", "/api/recipes", "/api/users", "/api/users/me/mcp-tokens/x/y", "/docs/x/y", "/apiv1/me"]
        {
            assert_host_404(&get(&app, path).await);
        }
        get(&app, "/api/v1/unknown").await.assert_problem(401, "missing_token");
    }

    async fn session_routes_are_not_mounted_without_an_authenticator(app: App) {
        let app = app.with_routes(|api| host_router(FamilyRoutes::new(api)));
        for path in ["/api/users/me/mcp-tokens", "/api/notes/note-berg", "/api/users/me/mcp-tokens/x"] {
            assert_host_404(&app.send_in_session("ann", Method::DELETE, path).await);
        }
        assert_eq!(app.send_in_session("ann", Method::GET, "/api/users/me").await.text(), "the host");
        app.send_with_token("ann-rw", Method::GET, "/api/v1/me").await.assert_ok();
    }

    async fn disabled_routes_are_absent_from_router_and_openapi(app: App) {
        type Without = fn(FamilyRoutes) -> FamilyRoutes;
        let parts: [(Without, &[(&str, &str)]); 7] = [
            (FamilyRoutes::without_v1, &[("/api/v1/me", "/api/v1/me"), ("/api/v1", "/api/v1/read/{resource}")]),
            (FamilyRoutes::without_read_path, &[("/api/mcp/read/notes", "/api/mcp/read/{resource}")]),
            (FamilyRoutes::without_keys, &[("/api/users/me/mcp-tokens", "/api/users/me/mcp-tokens")]),
            (FamilyRoutes::without_connections, &[("/api/users/me/connections", "/api/users/me/connections")]),
            (FamilyRoutes::without_records, &[("/api/notes/x", "/api/notes/{id}")]),
            (FamilyRoutes::without_docs, &[("/docs", "/docs"), ("/docs/swagger-ui.css", "/docs/{file}")]),
            (FamilyRoutes::without_openapi, &[("/openapi.json", "/openapi.json"), ("/docs", "/docs")]),
        ];
        for (without, gone) in parts {
            let everything = app.with_routes(|api| host_router(FamilyRoutes::new(api).session(CookieAuthenticator)));
            let app = app.with_routes(|api| host_router(without(FamilyRoutes::new(api).session(CookieAuthenticator))));
            let document = without(FamilyRoutes::new(app.api.clone()).session(CookieAuthenticator)).document();
            for (path, template) in gone {
                assert_ne!(get(&everything, path).await.text(), "404 of the host", "{path}");
                assert_host_404(&get(&app, path).await);
                assert!(document["paths"].get(*template).is_none(), "{template}");
            }
        }
        let app =
            app.with_routes(|api| host_router(FamilyRoutes::new(api).session(CookieAuthenticator).without_profile()));
        assert_eq!(app.send_in_session("ann", Method::GET, "/api/users/me").await.text(), "the host");
        app.send_in_session("ann", Method::GET, "/api/users/me/mcp-tokens").await.assert_ok();
    }

    async fn all_routes_work_under_a_prefix(app: App) {
        let app = app.with_routes(|api| {
            let family = FamilyRoutes::new(api).session(CookieAuthenticator).into_router();
            Router::new()
                .push(Router::with_path("home/{id}").push(family))
                .push(Router::with_path("{**rest}").goal(host_404))
        });
        assert_host_404(&get(&app, "/api/v1/me").await);
        get(&app, "/home/x/api/v1/unknown").await.assert_problem(401, "missing_token");
        app.send_with_token("ann-rw", Method::GET, "/home/x/api/v1/me").await.assert_ok();
        app.send_json_with_token("ann-rw", Method::PATCH, "/home/x/api/v1/notes/note-berg", "{}").await.assert_ok();
        let keys = "/home/x/api/users/me/mcp-tokens";
        let created = app.send_json_in_session("ann", Method::POST, keys, r#"{"mode":"mcp_read"}"#).await;
        let location = created.header("location").unwrap();
        assert_eq!(location, format!("{keys}/{}", created.json()["id"].as_str().unwrap()));
        app.send_in_session("ann", Method::DELETE, location).await.assert_ok();
        let document = get(&app, "/home/x/openapi.json").await.assert_ok().json();
        assert_eq!(document["servers"][0]["url"], "/home/x");
        assert_eq!(get(&app, "/home/x/docs/").await.status, 200);
    }
}

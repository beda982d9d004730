//! The router inside a host's app.

use family_api_salvo::FamilyRoutes;
use salvo::http::{Method, StatusCode};
use salvo::prelude::{Text, handler};
use salvo::{Response, Router};

use crate::storages::on_every_storage;
use crate::support::{Answer, App, CookieUser, anonymous};

#[handler]
fn of_the_host() -> &'static str {
    "the host"
}

#[handler]
fn unknown_to_the_host(res: &mut Response) {
    res.status_code(StatusCode::NOT_FOUND);
    res.render(Text::Plain("the host knows no such page"));
}

/// A host with routes next to ours, and its own 404.
fn host(family: FamilyRoutes) -> Router {
    Router::new()
        .push(Router::with_path("api/tasks/{id}").put(of_the_host))
        .push(family.into_router())
        .push(Router::with_path("api/tasks").get(of_the_host))
        .push(Router::with_path("api/tasks/{id}/comments").get(of_the_host))
        .push(Router::with_path("api/users/{id}").get(of_the_host))
        .push(Router::with_path("api/v2/me").get(of_the_host))
        .push(Router::with_path("api/v10/me").get(of_the_host))
        .push(Router::with_path("api/users/me/avatar").get(of_the_host))
        .push(Router::with_path("{**rest}").goal(unknown_to_the_host))
}

async fn get(app: &App, path: &str) -> Answer {
    app.send(anonymous(Method::GET, path)).await
}

#[track_caller]
fn is_the_hosts_404(answer: &Answer) {
    assert_eq!((answer.status, answer.text().as_str()), (404, "the host knows no such page"));
    assert_eq!(answer.header("x-request-id"), None);
    assert_eq!(answer.header("cache-control"), None);
}

on_every_storage! {
    async fn host_keeps_its_routes_and_its_404(app: App) {
        let app = app.mounted(|api| host(FamilyRoutes::new(api).session(CookieUser)));
        for path in [
            "/api/tasks",
            "/api/tasks/x/comments",
            "/api/users/other",
            "/api/v2/me",
            "/api/v10/me",
            "/api/users/me/avatar",
        ] {
            let answer = get(&app, path).await;
            assert_eq!((answer.status, answer.text().as_str()), (200, "the host"), "{path}");
            assert_eq!(answer.header("x-request-id"), None, "{path}");
        }
        assert_eq!(app.in_session("ann", Method::PUT, "/api/tasks/task-berg").await.text(), "the host");
        app.write_in_session("ann", Method::PATCH, "/api/tasks/task-berg", "{}").await.is_ok();
        for path in ["/", "/api", "/api/notes", "/api/users", "/api/users/me/mcp-tokens/x/y", "/docs/x/y", "/apiv1/me"]
        {
            is_the_hosts_404(&get(&app, path).await);
        }
        get(&app, "/api/v1/unknown").await.is(401, "missing_token");
    }

    async fn session_routes_are_not_mounted_without_an_authenticator(app: App) {
        let app = app.mounted(|api| host(FamilyRoutes::new(api)));
        for path in ["/api/users/me/mcp-tokens", "/api/notes/note-berg", "/api/users/me/mcp-tokens/x"] {
            is_the_hosts_404(&app.in_session("ann", Method::DELETE, path).await);
        }
        assert_eq!(app.in_session("ann", Method::GET, "/api/users/me").await.text(), "the host");
        app.with_token("ann-rw", Method::GET, "/api/v1/me").await.is_ok();
    }

    async fn removed_part_is_absent_from_router_and_document(app: App) {
        type Without = fn(FamilyRoutes) -> FamilyRoutes;
        let parts: [(Without, &[(&str, &str)]); 6] = [
            (FamilyRoutes::without_v1, &[("/api/v1/me", "/api/v1/me"), ("/api/v1", "/api/v1/read/{resource}")]),
            (FamilyRoutes::without_read_path, &[("/api/mcp/read/notes", "/api/mcp/read/{resource}")]),
            (FamilyRoutes::without_keys, &[("/api/users/me/mcp-tokens", "/api/users/me/mcp-tokens")]),
            (FamilyRoutes::without_records, &[("/api/notes/x", "/api/notes/{id}")]),
            (FamilyRoutes::without_page, &[("/docs", "/docs"), ("/docs/swagger-ui.css", "/docs/{file}")]),
            (FamilyRoutes::without_openapi, &[("/openapi.json", "/openapi.json"), ("/docs", "/docs")]),
        ];
        for (without, gone) in parts {
            let everything = app.mounted(|api| host(FamilyRoutes::new(api).session(CookieUser)));
            let app = app.mounted(|api| host(without(FamilyRoutes::new(api).session(CookieUser))));
            let document = without(FamilyRoutes::new(app.api.clone()).session(CookieUser)).document();
            for (path, template) in gone {
                assert_ne!(get(&everything, path).await.text(), "the host knows no such page", "{path}");
                is_the_hosts_404(&get(&app, path).await);
                assert!(document["paths"].get(*template).is_none(), "{template}");
            }
        }
        let app = app.mounted(|api| host(FamilyRoutes::new(api).session(CookieUser).without_profile()));
        assert_eq!(app.in_session("ann", Method::GET, "/api/users/me").await.text(), "the host");
        app.in_session("ann", Method::GET, "/api/users/me/mcp-tokens").await.is_ok();
    }

    async fn all_routes_work_under_a_prefix(app: App) {
        let app = app.mounted(|api| {
            let family = FamilyRoutes::new(api).session(CookieUser).into_router();
            Router::new()
                .push(Router::with_path("home/{id}").push(family))
                .push(Router::with_path("{**rest}").goal(unknown_to_the_host))
        });
        is_the_hosts_404(&get(&app, "/api/v1/me").await);
        get(&app, "/home/x/api/v1/unknown").await.is(401, "missing_token");
        app.with_token("ann-rw", Method::GET, "/home/x/api/v1/me").await.is_ok();
        app.write_with_token("ann-rw", Method::PATCH, "/home/x/api/v1/notes/note-berg", "{}").await.is_ok();
        let keys = "/home/x/api/users/me/mcp-tokens";
        let created = app.write_in_session("ann", Method::POST, keys, r#"{"mode":"mcp_read"}"#).await;
        let location = created.header("location").unwrap();
        assert_eq!(location, format!("{keys}/{}", created.json()["id"].as_str().unwrap()));
        app.in_session("ann", Method::DELETE, location).await.is_ok();
        let document = get(&app, "/home/x/openapi.json").await.is_ok().json();
        assert_eq!(document["servers"][0]["url"], "/home/x");
        assert_eq!(get(&app, "/home/x/docs/").await.status, 200);
    }
}

//! Bearer routes accept no cookie, and session routes accept no token. The test sends both to every route.

use std::collections::BTreeSet;

use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use serde_json::Value;

use crate::error_table::assert_session_headers;
use crate::storages::on_every_storage;
use crate::support::{App, CookieAuthenticator, bearer, session};

/// Returns the method and path of all operations that require this security scheme.
fn operations(document: &Value, scheme: &str) -> BTreeSet<(String, String)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let all = paths.flat_map(|(path, methods)| methods.as_object().unwrap().iter().map(move |it| (path, it)));
    let required = all.filter(|(_, (_, operation))| {
        operation["security"].as_array().is_some_and(|all| all.iter().any(|one| one.get(scheme).is_some()))
    });
    required.map(|(path, (method, _))| (method.to_ascii_uppercase(), path.clone())).collect()
}

/// Returns the name of the only security scheme whose `member` is `value`.
fn scheme(document: &Value, member: &str, value: &str) -> String {
    let schemes = document["components"]["securitySchemes"].as_object().unwrap();
    let found: Vec<&String> =
        schemes.iter().filter(|(_, scheme)| scheme[member] == value).map(|(key, _)| key).collect();
    assert_eq!(found.len(), 1, "{schemes:?}");
    found[0].clone()
}

/// Replaces the parameters of a path template by ids of Ann's records.
fn fill_template(path: &str) -> String {
    let id = if path.contains("tasks") { "task-berg" } else { "note-berg" };
    path.replace("{resource}", "notes").replace("{id}", id)
}

on_every_storage! {
    async fn bearer_routes_refuse_cookies_and_session_routes_refuse_tokens(app: App) {
        let document = FamilyRoutes::new(app.api.clone()).session(CookieAuthenticator).document();
        let before = app.snapshot().await;
        let bearer_operations = operations(&document, &scheme(&document, "scheme", "bearer"));
        let session_operations = operations(&document, &scheme(&document, "in", "cookie"));
        assert!(
            bearer_operations.len() >= 6 && session_operations.len() >= 8,
            "{bearer_operations:?} {session_operations:?}"
        );
        assert!(bearer_operations.is_disjoint(&session_operations));
        for (method, path) in bearer_operations {
            let method: Method = method.parse().unwrap();
            for path in
                [fill_template(&path), format!("{}?access_token={}", fill_template(&path), crate::support::token("ann-rw"))]
            {
                let request = session("ann", method.clone(), &path).raw_json("{}");
                app.send(request).await.assert_problem(401, "missing_token");
            }
            // A cookie does not make an invalid token valid.
            let request = session("ann", method, &fill_template(&path)).bearer_auth("nonsense").raw_json("{}");
            app.send(request).await.assert_problem(401, "invalid_token");
        }
        for (method, path) in session_operations {
            let method: Method = method.parse().unwrap();
            let request = bearer("ann-rw", method.clone(), &fill_template(&path)).raw_json("{}");
            assert_session_headers(app.send(request).await.assert_problem(401, "not_signed_in"));
            let request = bearer("ann-rw", method, &fill_template(&path)).raw_json("{}");
            let request = request.add_header("cookie", "user=nobody", true);
            assert_session_headers(app.send(request).await.assert_problem(401, "not_signed_in"));
        }
        assert_eq!(app.snapshot().await, before);
    }
}

//! Cookies are not accepted on bearer routes, and tokens not on session routes. Checks every route.

use std::collections::BTreeSet;

use family_api_salvo::FamilyRoutes;
use salvo::http::Method;
use serde_json::Value;

use crate::storages::on_every_storage;
use crate::support::{App, CookieUser, bearer, session};

/// Returns all operations that require this security scheme.
fn operations(document: &Value, scheme: &str) -> BTreeSet<(String, String)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let all = paths.flat_map(|(path, methods)| methods.as_object().unwrap().iter().map(move |it| (path, it)));
    let with_it = all.filter(|(_, (_, operation))| {
        operation["security"].as_array().is_some_and(|all| all.iter().any(|one| one.get(scheme).is_some()))
    });
    with_it.map(|(path, (method, _))| (method.to_ascii_uppercase(), path.clone())).collect()
}

fn scheme(document: &Value, name: &str, kind: &str) -> String {
    let schemes = document["components"]["securitySchemes"].as_object().unwrap();
    let found: Vec<&String> = schemes.iter().filter(|(_, scheme)| scheme[name] == kind).map(|(key, _)| key).collect();
    assert_eq!(found.len(), 1, "{schemes:?}");
    found[0].clone()
}

/// Fills the template with ids of Ann's own records.
fn concrete(path: &str) -> String {
    let id = if path.contains("tasks") { "task-berg" } else { "note-berg" };
    path.replace("{resource}", "notes").replace("{id}", id)
}

on_every_storage! {
    async fn cookies_and_tokens_do_not_open_each_others_routes(app: App) {
        let document = FamilyRoutes::new(app.api.clone()).session(CookieUser).document();
        let before = app.snapshot().await;
        let with_token = operations(&document, &scheme(&document, "scheme", "bearer"));
        let in_session = operations(&document, &scheme(&document, "in", "cookie"));
        assert!(with_token.len() >= 6 && in_session.len() >= 8, "{with_token:?} {in_session:?}");
        assert!(with_token.is_disjoint(&in_session));
        for (method, path) in with_token {
            let method: Method = method.parse().unwrap();
            for path in [concrete(&path), format!("{}?token={}", concrete(&path), crate::support::token("ann-rw"))] {
                let request = session("ann", method.clone(), &path).raw_json("{}");
                app.send(request).await.is(401, "missing_token");
            }
            // A cookie does not make an invalid token valid.
            let request = session("ann", method, &concrete(&path)).bearer_auth("nonsense").raw_json("{}");
            app.send(request).await.is(401, "invalid_token");
        }
        for (method, path) in in_session {
            let method: Method = method.parse().unwrap();
            let request = bearer("ann-rw", method.clone(), &concrete(&path)).raw_json("{}");
            app.send(request).await.is(401, "not_signed_in");
            let request = bearer("ann-rw", method, &concrete(&path)).raw_json("{}");
            let request = request.add_header("cookie", "user=nobody", true);
            app.send(request).await.is(401, "not_signed_in");
        }
        assert_eq!(app.snapshot().await, before);
    }
}

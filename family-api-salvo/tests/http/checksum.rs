//! A token with a wrong checksum is invalid, and the storage is not queried.

use std::sync::Arc;

use family_api_core::key::{KeyPrefix, KeySecret};
use salvo::http::Method;

use crate::support::{App, FaultyStorage, anonymous};

const TOKENS: usize = 200;

const ROUTES: [(Method, &str); 6] = [
    (Method::GET, "/api/v1/me"),
    (Method::GET, "/api/v1/read/tasks"),
    (Method::GET, "/api/mcp/read/notes"),
    (Method::PATCH, "/api/v1/tasks/x"),
    (Method::DELETE, "/api/v1/notes/x"),
    (Method::GET, "/api/v1/recipes"),
];

fn minted() -> String {
    KeySecret::mint(&KeyPrefix::default()).unwrap().expose().to_owned()
}

/// Replaces one letter after the prefix.
fn mistyped(token: &str, place: usize) -> String {
    let place = "fam_".len() + place % (token.len() - "fam_".len());
    let letter = if &token[place..=place] == "x" { "y" } else { "x" };
    [&token[..place], letter, &token[place + 1..]].concat()
}

#[tokio::test]
async fn token_with_wrong_checksum_is_not_looked_up() {
    // A mock without expectations panics on every call.
    let app = App::over(Arc::new(FaultyStorage::new()));
    for place in 0..TOKENS {
        let token = minted();
        let truncated = &token[..token.len() - 1 - place % 40];
        for wrong in [mistyped(&token, place).as_str(), truncated, &format!("{token}1")] {
            let (method, path) = &ROUTES[place % ROUTES.len()];
            app.send(anonymous(method.clone(), path).bearer_auth(wrong)).await.is(401, "invalid_token");
        }
    }
}

#[tokio::test]
async fn token_with_right_checksum_is_looked_up_once() {
    let mut storage = FaultyStorage::new();
    storage.expect_find_key().times(ROUTES.len()).returning(|_| Ok(None));
    let app = App::over(Arc::new(storage));
    for (method, path) in ROUTES {
        app.send(anonymous(method, path).bearer_auth(minted())).await.is(401, "invalid_token");
    }
}

//! A token with a wrong checksum is invalid, and the storage is not queried.

use std::sync::Arc;

use family_api_core::key::{KeyPrefix, KeySecret};
use salvo::http::Method;

use crate::support::{App, MockStorage, anonymous};

const TOKENS: usize = 200;

const ROUTES: [(Method, &str); 6] = [
    (Method::GET, "/api/v1/me"),
    (Method::GET, "/api/v1/read/tasks"),
    (Method::GET, "/api/mcp/read/notes"),
    (Method::PATCH, "/api/v1/tasks/x"),
    (Method::DELETE, "/api/v1/notes/x"),
    (Method::GET, "/api/v1/recipes"),
];

fn new_token() -> String {
    KeySecret::generate(&KeyPrefix::default()).unwrap().expose().to_owned()
}

/// Replaces one letter after the prefix. An index beyond the end of the token starts again at the prefix.
fn replace_letter(token: &str, index: usize) -> String {
    let index = "fam_".len() + index % (token.len() - "fam_".len());
    let letter = if &token[index..=index] == "x" { "y" } else { "x" };
    [&token[..index], letter, &token[index + 1..]].concat()
}

#[tokio::test]
async fn token_with_wrong_checksum_is_not_looked_up() {
    // A mock without expectations panics on every call.
    let app = App::with_storage(Arc::new(MockStorage::new()));
    for index in 0..TOKENS {
        let token = new_token();
        let truncated = &token[..token.len() - 1 - index % 40];
        for wrong in [replace_letter(&token, index).as_str(), truncated, &format!("{token}1")] {
            let (method, path) = &ROUTES[index % ROUTES.len()];
            app.send(anonymous(method.clone(), path).bearer_auth(wrong)).await.assert_problem(401, "invalid_token");
        }
    }
}

#[tokio::test]
async fn token_with_right_checksum_is_looked_up_once() {
    let mut storage = MockStorage::new();
    storage.expect_find_key().times(ROUTES.len()).returning(|_| Ok(None));
    let app = App::with_storage(Arc::new(storage));
    for (method, path) in ROUTES {
        app.send(anonymous(method, path).bearer_auth(new_token())).await.assert_problem(401, "invalid_token");
    }
}

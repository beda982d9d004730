//! Answers with a cached list of tools equal new answers.

use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::{Value, json};

use crate::client::{READ_PATH, V1, mcp, modern_with_id};
use crate::storages::{OnStorage, StorageKind};
use crate::support::{App, TestResponse, bearer};

/// Tokens with all sets of scopes that read, and an endpoint for each.
const CALLERS: [(&str, &str); 4] = [("ann-rw", V1), ("ann-read", V1), ("ann-rw", READ_PATH), ("ann-mcp", READ_PATH)];

/// A request with an id.
type MakeRequest = fn(&str, &str, Value) -> RequestBuilder;

const REQUESTS: [MakeRequest; 6] = [
    |key, path, id| modern_with_id(&id, key, path, "tools/list", json!({})),
    |key, path, id| modern_with_id(&id, key, path, "server/discover", json!({})),
    |key, path, id| legacy(key, path, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" })),
    |key, path, id| legacy(key, path, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {} })),
    |key, path, id| legacy(key, path, &json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })),
    |key, path, id| {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        bearer(key, Method::POST, path)
            .raw_json(json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params }).to_string())
    },
];

fn legacy(key: &str, path: &str, message: &Value) -> RequestBuilder {
    bearer(key, Method::POST, path).add_header("mcp-protocol-version", "2025-11-25", true).raw_json(message.to_string())
}

async fn app() -> App {
    App::on(StorageKind::Memory).await
}

fn comparable(response: &TestResponse) -> (u16, Option<&str>, &[u8]) {
    (response.status, response.header("content-type"), &response.body)
}

#[tokio::test]
async fn cached_answers_equal_new_ones() {
    let app = app().await;
    let cached = mcp(&app);
    for request in REQUESTS {
        for id in
            [json!(1), json!(-7), json!(i64::MAX), json!("a"), json!("é \"quoted\" \\ / \n"), json!("x".repeat(256))]
        {
            for (key, path) in CALLERS {
                // The endpoints of an app that is mounted again have an empty cache.
                let made = mcp(&app).send(request(key, path, id.clone())).await;
                let answer = cached.send(request(key, path, id.clone())).await;
                assert_eq!(comparable(&answer), comparable(&made), "{key} {path} {id}");
                assert_eq!(made.assert_ok().json()["id"], id);
            }
        }
    }
}

#[tokio::test]
async fn cached_answer_is_not_sent_to_another_request() {
    let cached = mcp(&app().await);
    for request in REQUESTS {
        cached.send(request("ann-rw", V1, json!(1))).await.assert_ok();
    }
    let list = |header: &'static str, value: &'static str| {
        modern_with_id(&json!(1), "ann-rw", V1, "tools/list", json!({})).add_header(header, value, true)
    };
    for (header, value, status) in [
        ("mcp-method", "ping", 400),
        ("mcp-protocol-version", "2025-11-25", 400),
        ("content-type", "text/plain", 415),
        ("origin", "https://evil.example", 403),
    ] {
        assert_eq!(cached.send(list(header, value)).await.status, status, "{header}");
    }
    for (message, status) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#, 400),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#, 400),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}"#, 400),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, 400),
        (r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"tools/list"}"#, 400),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"} x"#, 400),
        (r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#, 400),
        (r#"{"jsonrpc":"2.0","method":"tools/list"}"#, 202),
    ] {
        let request = bearer("ann-rw", Method::POST, V1).add_header("mcp-protocol-version", "2025-11-25", true);
        assert_eq!(cached.send(request.raw_json(message)).await.status, status, "{message}");
    }
    for (key, status, code) in [("ann-revoked", 401, "invalid_token"), ("ann-mcp", 403, "insufficient_scope")] {
        cached.send(REQUESTS[0](key, V1, json!(1))).await.assert_problem(status, code);
    }
}

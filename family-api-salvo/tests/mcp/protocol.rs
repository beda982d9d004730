//! The versions of the protocol, and messages that are not valid.

use salvo::http::Method;
use serde_json::{Value, json};

use crate::client::{READ_PATH, V1, mcp, modern, names, result};
use crate::storages::on_every_storage;
use crate::support::{App, anonymous, bearer};

async fn post(app: &App, body: &str) -> (u16, Value) {
    let response = app.send_json_with_token("ann-rw", Method::POST, V1, body).await;
    (response.status, serde_json::from_slice(&response.body).unwrap_or_default())
}

on_every_storage! {
    async fn server_discover_names_the_versions_and_the_tools_capability(app: App) {
        let app = mcp(&app);
        for path in [V1, READ_PATH] {
            let found = result(&app, "ann-rw", path, "server/discover", json!({})).await;
            let versions = json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
            assert_eq!(found["supportedVersions"], versions, "{found}");
            assert!(found["capabilities"]["tools"].is_object(), "{found}");
            let instructions = found["instructions"].as_str().unwrap();
            assert!(instructions.len() < 1024, "{} bytes", instructions.len());
            for write in ["ifMatch", "idempotencyKey"] {
                assert_eq!(instructions.contains(write), path == V1, "{write}: {instructions}");
            }
        }
    }

    async fn initialize_accepts_every_version_with_a_handshake(app: App) {
        let app = mcp(&app);
        for (requested, answered) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("1999-01-01", "2025-11-25"),
        ] {
            let message = json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {
                "protocolVersion": requested, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
            } });
            let response = app.send_json_with_token("ann-rw", Method::POST, V1, message.to_string()).await;
            let answer = response.assert_ok().json();
            assert_eq!(answer["id"], "a");
            assert_eq!(answer["result"]["protocolVersion"], answered, "{answer}");
            assert_eq!(response.header("mcp-session-id"), None);
            let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
            let request = bearer("ann-rw", Method::POST, V1).add_header("mcp-protocol-version", answered, true);
            let listed = app.send(request.raw_json(list)).await;
            assert_eq!(names(&listed.assert_ok().json()["result"]).len(), 13);
        }
    }

    async fn notification_is_accepted_without_a_body(app: App) {
        let app = mcp(&app);
        let message = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let response = app.send_json_with_token("ann-rw", Method::POST, V1, message).await;
        assert_eq!((response.status, response.body.len()), (202, 0));
    }

    async fn other_methods_get_405(app: App) {
        let app = mcp(&app);
        for path in [V1, READ_PATH] {
            for method in [Method::GET, Method::DELETE, Method::PUT, Method::HEAD] {
                let response = app.send(bearer("ann-rw", method.clone(), path)).await;
                assert_eq!((response.status, response.header("allow")), (405, Some("POST")), "{method} {path}");
            }
            app.send(anonymous(Method::GET, path)).await.assert_problem(401, "missing_token");
        }
    }

    async fn endpoints_exist_only_if_the_host_mounts_them(app: App) {
        let document = app.send(anonymous(Method::GET, "/openapi.json")).await.json();
        for path in [V1, READ_PATH] {
            app.send(modern("ann-rw", path, "tools/list", json!({}))).await.assert_problem(404, "not_found");
            assert!(document["paths"].get(path).is_none(), "{path}");
        }
        let only_v1 = app.configured(|routes| routes.mcp().without_read_path());
        only_v1.send(modern("ann-rw", V1, "tools/list", json!({}))).await.assert_ok();
        assert_eq!(only_v1.send(modern("ann-rw", READ_PATH, "tools/list", json!({}))).await.status, 404);
    }

    async fn page_of_another_origin_is_refused(app: App) {
        let app = app.configured(|routes| {
            routes.mcp().public_address("https://own.example".parse().unwrap()).cors(["https://app.example".parse().unwrap()])
        });
        for (origin, status) in [
            ("https://own.example", 200),
            ("https://app.example", 200),
            ("https://evil.example", 403),
            ("http://own.example", 403),
            ("null", 403),
            ("", 403),
        ] {
            let request = modern("ann-rw", V1, "tools/list", json!({})).add_header("origin", origin, true);
            let request = request.add_header("sec-fetch-site", "same-origin", true);
            let response = app.send(request).await;
            assert_eq!(response.status, status, "{origin}");
            if status == 403 {
                response.assert_problem(403, "cross_site_request");
            }
        }
    }

    async fn name_that_is_rebound_to_the_server_is_refused(app: App) {
        let send = |host: &'static str, origin: &'static str| {
            modern("ann-rw", V1, "tools/list", json!({}))
                .add_header("host", host, true)
                .add_header("origin", origin, true)
        };
        let without_address = mcp(&app);
        for (host, origin, status) in [
            ("evil.example", "http://evil.example", 403),
            ("192.168.1.2:8080", "http://192.168.1.2:8080", 403),
            ("localhost.evil.example", "http://localhost.evil.example", 403),
            ("localhost:8080", "http://localhost:3000", 403),
            ("evil.example", "http://localhost", 403),
            ("localhost:8080", "http://localhost:8080", 200),
            ("127.0.0.1:8080", "http://127.0.0.1:8080", 200),
            ("[::1]:8080", "http://[::1]:8080", 200),
        ] {
            assert_eq!(without_address.send(send(host, origin)).await.status, status, "{host} {origin}");
        }
        let with_address = app.configured(|routes| routes.mcp().public_address("https://own.example".parse().unwrap()));
        for (host, origin, status) in [
            ("localhost:8080", "https://own.example", 200),
            ("localhost:8080", "http://localhost:8080", 403),
            ("evil.example", "http://evil.example", 403),
        ] {
            assert_eq!(with_address.send(send(host, origin)).await.status, status, "{host} {origin}");
        }
    }

    async fn unknown_version_and_method_are_refused(app: App) {
        let app = mcp(&app);
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2099-01-01",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        } } });
        let request = bearer("ann-rw", Method::POST, V1)
            .add_header("mcp-protocol-version", "2099-01-01", true)
            .add_header("mcp-method", "tools/list", true);
        let response = app.send(request.raw_json(message.to_string())).await;
        assert_eq!((response.status, response.json()["error"]["code"].clone()), (400, json!(-32022)));
        assert!(response.json()["error"]["data"]["supported"].is_array(), "{:?}", response.json());
        assert_eq!(response.json()["id"], 7);
        let legacy = bearer("ann-rw", Method::POST, V1).add_header("mcp-protocol-version", "1.0", true);
        let response = app.send(legacy.raw_json(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)).await;
        assert_eq!((response.status, response.json()["error"]["code"].clone()), (400, json!(-32600)));
        assert_eq!(response.json()["id"], 1);
        let response = app.send(modern("ann-rw", V1, "nothing/here", json!({}))).await;
        assert_eq!((response.status, response.json()["error"]["code"].clone()), (404, json!(-32601)));
        assert_eq!(response.json()["id"], 1);
    }

    async fn invalid_messages_get_400(app: App) {
        let app = mcp(&app);
        let long_id = format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"ping"}}"#, "x".repeat(100_000));
        for (body, code, id) in [
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, None),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, None),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600, None),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, Some(json!(1))),
            (r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{}}"#, -32602, Some(json!("a"))),
            (long_id.as_str(), -32600, None),
        ] {
            let (status, answer) = post(&app, body).await;
            assert_eq!((status, &answer["error"]["code"], answer.get("id")), (400, &json!(code), id.as_ref()), "{answer}");
            assert!(answer.to_string().len() < 500);
        }
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}{}}}}}"#,
            "[".repeat(50),
            "]".repeat(50)
        );
        for body in ["", "{", r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#, deep.as_str()] {
            let response = app.send_json_with_token("ann-rw", Method::POST, V1, body).await;
            response.assert_problem(400, "invalid_json");
        }
    }

    async fn unknown_method_is_not_repeated(app: App) {
        let app = mcp(&app);
        let method = "x".repeat(100_000);
        let (status, answer) = post(&app, &json!({ "jsonrpc": "2.0", "id": 7, "method": method }).to_string()).await;
        assert_eq!((status, &answer["error"]["code"], &answer["id"]), (200, &json!(-32601), &json!(7)));
        assert!(answer.to_string().len() < 500);
    }

    async fn wrong_media_types_and_large_bodies_are_refused(app: App) {
        let app = mcp(&app);
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json"] {
            let request = bearer("ann-rw", Method::POST, V1).body(ping).add_header("content-type", media_type, true);
            app.send(request).await.assert_problem(415, "unsupported_media_type");
        }
        app.send(bearer("ann-rw", Method::POST, V1).body(ping)).await.assert_problem(415, "unsupported_media_type");
        app.send(bearer("ann-rw", Method::POST, V1)).await.assert_problem(400, "invalid_json");
        let large = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(1_400_000));
        app.send_json_with_token("ann-rw", Method::POST, V1, large).await.assert_problem(413, "payload_too_large");
        let request = bearer("ann-rw", Method::POST, V1).add_header("accept", "text/html", true);
        app.send(request.raw_json(ping)).await.assert_ok();
    }
}

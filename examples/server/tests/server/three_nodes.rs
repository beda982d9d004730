//! Three servers on one database. A client's requests reach another node each time.

use std::sync::Arc;

use family_api_testing::{Server as PostgresServer, postgres_tests};
use futures_util::future::join_all;
use reqwest::header::COOKIE;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::assistant::{authorization, code, consent, form, redemption, registration, signed_request, text};
use crate::backend::Backend;
use crate::client::{Response, in_session, send, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, create_key, session_cookie};

const OPTIONS: [&str; 2] = ["--public-url", "https://family.example"];
const MCP: &str = "/api/v1/mcp";
const TOKEN: &str = "/oauth/token";
const CONNECTIONS: &str = "/api/users/me/connections";

async fn three_nodes() -> (Sandbox, [Server; 3]) {
    let sandbox = Sandbox::with_families(Backend::Postgres).await;
    let nodes = [(); 3].map(|()| sandbox.serve_with(&OPTIONS, &[]));
    (sandbox, nodes)
}

/// Calls an MCP endpoint with a JSON-RPC message.
async fn mcp(node: &Server, token: &str, method: &str, params: Value) -> Response {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    with_token(node, token, "POST", MCP, Some(message)).await
}

/// A client whose user has consented, and the code that it got.
struct Consented {
    client: String,
    code: String,
}

/// Registers a client on one node, opens the consent page on another one, and submits it on the third one.
async fn consent_through([a, b, c]: &[Server; 3], cookie: &str) -> Consented {
    let client = text(&send(registration(a)).await.json(), "client_id");
    let page = send(authorization(b, &client).header(COOKIE, cookie)).await;
    let redirect = send(consent(c, &signed_request(&page)).header(COOKIE, cookie)).await;
    Consented { client, code: code(&redirect) }
}

impl Consented {
    async fn redeem(&self, node: &Server) -> Response {
        send(form(node, TOKEN, &redemption(&self.client, &self.code))).await
    }

    async fn refresh(&self, node: &Server, tokens: &Response) -> Response {
        let refresh = text(&tokens.json(), "refresh_token");
        let fields =
            [("grant_type", "refresh_token"), ("client_id", &self.client), ("refresh_token", refresh.as_str())];
        send(form(node, TOKEN, &fields)).await
    }

    /// Asserts that every node refuses the tokens of the ended connection.
    async fn assert_ended(&self, nodes: &[Server; 3], tokens: &Response) {
        for node in nodes {
            assert_eq!(list_tools(node, tokens).await.problem(), (401, "invalid_token".to_owned()));
            let refused = self.refresh(node, tokens).await;
            assert_eq!((refused.status, &refused.json()["error"]), (400, &json!("invalid_grant")), "{refused:?}");
        }
    }
}

/// Uses an access token.
async fn list_tools(node: &Server, tokens: &Response) -> Response {
    mcp(node, &text(&tokens.json(), "access_token"), "tools/list", json!({})).await
}

postgres_tests! {
    async fn each_step_of_a_connection_can_reach_another_node() {
        let (_sandbox, nodes) = three_nodes().await;
        let [a, b, c] = &nodes;
        let cookie = session_cookie(c, "ana").await;
        let assistant = consent_through(&nodes, &cookie).await;
        let first = assistant.redeem(b).await;
        assert_eq!(list_tools(c, &first).await.status, 200);
        let second = assistant.refresh(a, &first).await;
        assert_eq!(list_tools(b, &second).await.status, 200);
        assert_eq!(list_tools(c, &first).await.problem(), (401, "invalid_token".to_owned()));
        let listed = in_session(c, &cookie, "GET", CONNECTIONS, None).await.json();
        let connection = format!("{CONNECTIONS}/{}", text(&listed["connections"][0], "id"));
        assert_eq!(in_session(b, &cookie, "DELETE", &connection, None).await.status, 200);
        assistant.assert_ended(&nodes, &second).await;
    }

    async fn parallel_refreshes_on_all_nodes_get_the_same_tokens() {
        let (_sandbox, nodes) = three_nodes().await;
        let assistant = consent_through(&nodes, &session_cookie(&nodes[0], "ana").await).await;
        let first = assistant.redeem(&nodes[2]).await;
        let refreshed = join_all(nodes.iter().chain(&nodes).map(|node| assistant.refresh(node, &first))).await;
        let tokens = |answer: &Response| ["access_token", "refresh_token"].map(|name| text(&answer.json(), name));
        for answer in &refreshed {
            assert_eq!((answer.status, tokens(answer)), (200, tokens(&refreshed[0])), "{answer:?}");
        }
        for node in &nodes {
            assert_eq!(list_tools(node, &refreshed[0]).await.status, 200);
        }
    }

    async fn a_code_is_redeemed_by_one_node_only() {
        let (_sandbox, nodes) = three_nodes().await;
        let cookie = session_cookie(&nodes[0], "ana").await;
        for _ in 0..10 {
            let assistant = consent_through(&nodes, &cookie).await;
            let redeemed = join_all(nodes.iter().map(|node| assistant.redeem(node))).await;
            let issued: Vec<&Response> = redeemed.iter().filter(|answer| answer.status == 200).collect();
            assert_eq!(issued.len(), 1, "{redeemed:?}");
            assistant.assert_ended(&nodes, issued[0]).await;
        }
    }

    async fn mcp_needs_no_session_on_any_node() {
        let (_sandbox, [a, b, c]) = three_nodes().await;
        let token = create_key(&a, &session_cookie(&a, "ana").await).await.token;
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let initialized = mcp(&a, &token, "initialize", params).await;
        assert_eq!((initialized.status, initialized.header("mcp-session-id")), (200, None), "{initialized:?}");
        let listed = mcp(&b, &token, "tools/list", json!({})).await.json();
        assert!(!listed["result"]["tools"].as_array().unwrap().is_empty(), "{listed}");
        let added = json!({ "name": "add_note", "arguments": { "title": "from b", "idempotencyKey": "k" } });
        let added = [mcp(&b, &token, "tools/call", added.clone()).await, mcp(&c, &token, "tools/call", added).await];
        let [first, repeated] = added.map(|answer| answer.json()["result"]["structuredContent"]["outcomes"][0].clone());
        assert_eq!((&first["result"], &repeated["result"]), (&json!("added"), &json!("unchanged")));
        assert_eq!(first["id"], repeated["id"]);
    }

    async fn each_node_counts_failed_sign_ins_on_its_own() {
        let (_sandbox, nodes) = three_nodes().await;
        for node in &nodes {
            let attempts = join_all((0..20).map(|_| sign_in(node, "ana@family.example", "wrong"))).await;
            let failed = attempts.iter().filter(|answer| answer.status == 401).count();
            assert!((10..20).contains(&failed), "{failed}");
            assert_eq!(sign_in(node, "ana@family.example", PASSWORD).await.status, 429);
        }
    }

    async fn each_node_counts_the_requests_of_a_token_on_its_own() {
        let (_sandbox, nodes) = three_nodes().await;
        let token = create_key(&nodes[0], &session_cookie(&nodes[0], "ana").await).await.token;
        for node in &nodes {
            let answer = with_token(node, &token, "GET", "/api/v1/me", None).await;
            assert!(answer.header("ratelimit").unwrap().starts_with(r#""key";r=299;"#), "{answer:?}");
        }
    }

    async fn all_nodes_together_grant_a_user_fifty_keys() {
        let (_sandbox, nodes) = three_nodes().await;
        let cookie = session_cookie(&nodes[0], "ana").await;
        let mut statuses: Vec<u16> = Vec::new();
        for _ in 0..20 {
            let body = json!({ "mode": "mcp_read" });
            let create = nodes.iter().map(|node| in_session(node, &cookie, "POST", KEYS, Some(body.clone())));
            statuses.extend(join_all(create).await.iter().map(|answer| answer.status));
        }
        let count = |status| statuses.iter().filter(|other| **other == status).count();
        assert_eq!([count(201), count(409)], [50, 10], "{statuses:?}");
    }

    /// The first node migrates the database and generates the key with which client ids are signed.
    async fn nodes_can_start_together_on_an_empty_database() {
        let database = PostgresServer::shared().create_database().await;
        let sandbox = Arc::new(Sandbox::on_database(database));
        let starts = [(); 3].map(|()| {
            let sandbox = sandbox.clone();
            spawn_blocking(move || sandbox.serve_with(&OPTIONS, &[]))
        });
        let nodes: Vec<Server> = join_all(starts).await.into_iter().map(Result::unwrap).collect();
        let clients = join_all(nodes.iter().map(|node| send(registration(node)))).await;
        for node in &nodes {
            for client in &clients {
                let client = text(&client.json(), "client_id");
                let refused = send(form(node, TOKEN, &redemption(&client, "famc_unknown"))).await;
                assert_eq!(refused.json()["error"], "invalid_grant", "a node does not know the client of another one");
            }
        }
    }
}

//! A full family does not make the others wait. Each trial compares two times of one run.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use family_api_testing::with;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, call, with_token};
use crate::family;
use crate::figures::print_line;
use crate::latencies::Latencies;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend! {
    a_tool_finds_one_note_without_the_others,
    a_search_does_not_delay_other_requests,
}

/// The maximum number of notes in a family.
const MAX_NOTES: u32 = 20_000;

/// The clients of one family that write at the same time.
const CLIENTS: usize = 20;

/// Returns a sandbox in which the family of Ana has as many notes as it may have, and a running server.
async fn with_a_full_family(backend: Backend) -> (Sandbox, Server) {
    let notes = (1..MAX_NOTES).map(|n| family::note(&format!("n{n}"), "rivera"));
    let sandbox = Sandbox::with_families(backend).await.import_lines(notes);
    // One thread serves all requests.
    let server = sandbox.serve_with(&[], &[("TOKIO_WORKER_THREADS", "1")]);
    (sandbox, server)
}

/// Sends a request several times, and returns the shortest time until its answer.
async fn shortest_time(send: impl AsyncFn() -> Response, status: u16) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..20 {
        let began = Instant::now();
        let answer = send().await;
        shortest = shortest.min(began.elapsed());
        assert_eq!(answer.status, status, "{answer:?}");
    }
    shortest
}

async fn create_note(server: &Server, token: &str) -> Response {
    with_token(server, token, "POST", "/api/v1/notes", Some(json!({ "title": "x" }))).await
}

#[tokio::test]
async fn a_refused_creation_costs_less_than_two_creations() {
    let (_sandbox, server) = with_a_full_family(Backend::Sqlite).await;
    let full = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let small = create_key(&server, &session_cookie(&server, "chidi").await).await.token;
    let created = shortest_time(async || create_note(&server, &small).await, 201).await;
    let refused = shortest_time(async || create_note(&server, &full).await, 409).await;
    assert!(refused < 2 * created, "refused after {refused:?}, created after {created:?}");
}

/// Moves a task to the top of its column until the future is dropped, and adds the time of each move.
async fn move_to_the_top(server: &Server, token: String, task: String, times: &RefCell<Latencies>) {
    let path = format!("/api/v1/tasks/{task}");
    loop {
        let body = json!({ "type": "move-task", "columnId": "todo", "order": 0 });
        let began = Instant::now();
        let moved = with_token(server, &token, "PATCH", &path, Some(body)).await;
        assert_eq!(moved.status, 200, "{moved:?}");
        times.borrow_mut().push(began.elapsed());
    }
}

#[tokio::test]
async fn a_write_does_not_wait_for_all_writes_of_another_family() {
    let tasks = (0..1_000).map(|n| with(family::task(&format!("t{n}"), "todo"), json!({ "order": n })));
    let sandbox = Sandbox::with_families(Backend::Sqlite).await.import_lines(tasks);
    let server = sandbox.serve_with(&[], &[("TOKIO_WORKER_THREADS", "1")]);
    let chidi = create_key(&server, &session_cookie(&server, "chidi").await).await.token;
    let (moves, mut renames) = (RefCell::new(Latencies::default()), Latencies::default());
    let ana = session_cookie(&server, "ana").await;
    let mut clients = Vec::new();
    for n in 0..CLIENTS {
        // A key of its own, because the requests of each are limited.
        let token = create_key(&server, &ana).await.token;
        clients.push(move_to_the_top(&server, token, format!("t{}", n * 50), &moves));
    }
    let clients = join_all(clients);
    let rename = async {
        while renames.len() < 40 {
            if moves.borrow().len() < CLIENTS {
                // Not all of them have begun.
                tokio::task::yield_now().await;
                continue;
            }
            let began = Instant::now();
            let body = json!({ "title": "x" });
            let answer = with_token(&server, &chidi, "PATCH", "/api/v1/notes/cabin", Some(body)).await;
            renames.push(began.elapsed());
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    };
    tokio::select! {
        () = rename => {}
        _ = clients => unreachable!("the moves have no end"),
    }
    let moves = moves.into_inner();
    print_line(&format!("{CLIENTS} clients of a family move tasks: {moves}; another family: {renames}"));
    assert!(4 * renames.percentile(50) < moves.percentile(50), "moves: {moves}; renames: {renames}");
}

async fn call_tool(server: &Server, token: &str, tool: &str, arguments: Value) -> Response {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
    });
    with_token(server, token, "POST", "/api/v1/mcp", Some(call)).await
}

async fn a_tool_finds_one_note_without_the_others(backend: Backend) {
    let (_sandbox, server) = with_a_full_family(backend).await;
    let full = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let small = create_key(&server, &session_cookie(&server, "chidi").await).await.token;
    // A change makes the cached document of the family old.
    let change = |id: &str| json!({ "ids": [id], "pinned": true });
    for (tool, of_full, of_small) in [
        ("get_note", json!({ "id": "wifi" }), json!({ "id": "cabin" })),
        ("update_notes", change("wifi"), change("cabin")),
    ] {
        let of_small = shortest_time(async || call_tool(&server, &small, tool, of_small.clone()).await, 200).await;
        let of_full = shortest_time(async || call_tool(&server, &full, tool, of_full.clone()).await, 200).await;
        assert!(of_full < 10 * of_small, "{tool}: {of_full:?} in the full family, {of_small:?} in the small one");
    }
}

async fn a_search_does_not_delay_other_requests(backend: Backend) {
    let (_sandbox, server) = with_a_full_family(backend).await;
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let began = Instant::now();
    let (asked, longest) = (Cell::new(began), Cell::new(Duration::ZERO));
    let healthy = async {
        loop {
            asked.set(Instant::now());
            assert_eq!(call(&server, "GET", "/healthz").await.status, 200);
            longest.set(longest.get().max(asked.get().elapsed()));
        }
    };
    let found = tokio::select! {
        found = call_tool(&server, &token, "search_notes", json!({ "text": "n19999" })) => found.json(),
        () = healthy => unreachable!("the loop has no end"),
    };
    assert_eq!(found["result"]["structuredContent"]["notes"].as_array().map(Vec::len), Some(1), "{found}");
    // The last request had no answer yet.
    let (longest, search) = (longest.get().max(asked.get().elapsed()), began.elapsed());
    assert!(longest < search / 2, "a request waited {longest:?} for a search of {search:?}");
}

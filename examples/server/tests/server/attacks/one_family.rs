//! One family cannot make the others wait: the work of a query is bounded, a refused creation counts nothing, and no
//! document is parsed on the threads that serve requests.

use std::cell::Cell;
use std::time::{Duration, Instant};

use family_api_testing::postgres_tests;
use serde_json::{Value, json};

use crate::administration::removal::with;
use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, call, with_token};
use crate::family;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend! {
    lists_of_moments_use_up_the_work_of_a_query,
    a_tool_finds_one_note_without_the_others,
    a_search_does_not_delay_other_requests,
}

/// The maximum number of notes in a family.
const MAX_NOTES: u32 = 20_000;

/// Returns an event that recurs weekly, with a line of 250 moments.
fn with_moments(id: &str, line: &str) -> Value {
    let day = |n| format!("1970{:02}{:02}T100000", n / 28 + 1, n % 28 + 1);
    let moments: Vec<_> = (0..250).map(day).collect();
    let recurrence = format!("FREQ=WEEKLY\n{line};TZID=Europe/Kyiv:{}", moments.join(","));
    let mut event = family::event(id, "rivera");
    event["recurrence"] = json!(recurrence);
    event
}

async fn lists_of_moments_use_up_the_work_of_a_query(backend: Backend) {
    for line in ["EXDATE", "RDATE"] {
        let events: Vec<_> = (0..800).map(|n| with_moments(&format!("long{n}"), line).to_string()).collect();
        let weekly = [with(family::event("weekly", "rivera"), &[("recurrence", json!("FREQ=WEEKLY"))])];
        let (_sandbox, server) =
            Sandbox::with_families(backend).await.import_lines(&events).import_lines(&weekly).served();
        let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
        let path = "/api/v1/read/events?from=2026-11-20&to=2026-11-26&expand=true";
        let found = with_token(&server, &token, "GET", path, None).await;
        assert_eq!((found.status, found.header("family-api-truncated")), (200, Some("true")), "{line}");
        let occurrences = found.json();
        let occurrences = occurrences.as_array().unwrap();
        assert!((301..600).contains(&occurrences.len()), "{line}: {}", occurrences.len());
        for id in ["weekly", "piano"] {
            assert!(occurrences.iter().any(|occurrence| occurrence["occurrenceOf"] == id), "{line}: {id}");
        }
    }
}

/// Returns a sandbox in which the family of Ana has as many notes as it may have, and a running server.
async fn with_a_full_family(backend: Backend) -> (Sandbox, Server) {
    let notes: Vec<_> = (1..MAX_NOTES).map(|n| family::note(&format!("n{n}"), "rivera").to_string()).collect();
    let sandbox = Sandbox::with_families(backend).await.import_lines(&notes);
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

postgres_tests! {
    async fn refused_creations_count_the_notes_once() {
        let (sandbox, server) = with_a_full_family(Backend::Postgres).await;
        let before = notes_read(&sandbox).await;
        let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
        for _ in 0..20 {
            assert_eq!(create_note(&server, &token).await.status, 409);
        }
        // A connection that ends reports what it has read.
        assert!(server.stop().success());
        let connections = "pg_stat_activity WHERE datname = current_database() AND application_name = 'family-api'";
        sandbox.wait_for_rows(connections, 0).await;
        let read = notes_read(&sandbox).await - before;
        assert!(read < 2 * i64::from(MAX_NOTES), "{read} notes were read");
    }
}

/// Returns the number of notes that statements have read, also from indexes alone.
async fn notes_read(sandbox: &Sandbox) -> i64 {
    let rows = "
        SELECT (sum(seq_tup_read) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'notes'))::text
        FROM pg_stat_user_tables WHERE relname = 'notes'";
    sandbox.texts(rows).await[0].parse().unwrap()
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
    let change = |id: &str| json!({ "id": id, "pinned": true });
    for (tool, of_full, of_small) in [
        ("get_note", json!({ "id": "wifi" }), json!({ "id": "cabin" })),
        ("update_note", change("wifi"), change("cabin")),
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

//! One family cannot make the others wait: the work of a query is bounded, and a refused creation counts nothing. The
//! trials compare the times.

use family_api_testing::postgres_tests;
use serde_json::{Value, json};

use crate::administration::removal::with;
use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, with_token};
use crate::family;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend!(lists_of_moments_use_up_the_work_of_a_query);

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
async fn with_a_full_family() -> (Sandbox, Server) {
    let notes: Vec<_> = (1..MAX_NOTES).map(|n| family::note(&format!("n{n}"), "rivera").to_string()).collect();
    Sandbox::with_families(Backend::Postgres).await.import_lines(&notes).served()
}

async fn create_note(server: &Server, token: &str) -> Response {
    with_token(server, token, "POST", "/api/v1/notes", Some(json!({ "title": "x" }))).await
}

postgres_tests! {
    async fn refused_creations_count_the_notes_once() {
        let (sandbox, server) = with_a_full_family().await;
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

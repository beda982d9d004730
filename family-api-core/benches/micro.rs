//! Measures the in-process steps of a request. Run: `cargo bench -p family-api-core --bench micro`.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use divan::{Bencher, black_box};
use family_api_core::EntityTag;
use family_api_core::change::Editable;
use family_api_core::key::{EnvironmentTokens, KeyDigest, KeyPrefix, KeySecret};
use family_api_core::resource::{Board, Document, Note, Task};
use family_api_core::validation::Json;
use serde_json::{Value, json};

const AT: &str = "2026-11-20T10:15:30.123Z";

fn main() {
    divan::main();
}

fn token() -> String {
    KeySecret::generate(&KeyPrefix::default()).unwrap().expose().to_owned()
}

#[divan::bench]
fn generate_a_key() -> KeySecret {
    KeySecret::generate(black_box(&KeyPrefix::default())).unwrap()
}

#[divan::bench]
fn check_a_token_checksum(bencher: Bencher<'_, '_>) {
    let (prefix, token) = (KeyPrefix::default(), token());
    bencher.bench(|| prefix.accepts(black_box(&token)));
}

#[divan::bench]
fn digest_a_token(bencher: Bencher<'_, '_>) {
    let token = token();
    bencher.bench(|| KeyDigest::of(black_box(&token)));
}

#[divan::bench]
fn compute_an_entity_tag() -> EntityTag {
    EntityTag::of(black_box(b"0.1.0 8217340981237 user-0123456789 family-0123456789 tasks open identity"))
}

#[divan::bench]
fn parse_1000_environment_tokens(bencher: Bencher<'_, '_>) {
    let list = environment_list();
    bencher.bench(|| EnvironmentTokens::parse(black_box(&list), &KeyPrefix::default()).unwrap());
}

#[divan::bench]
fn find_one_of_1000_environment_tokens(bencher: Bencher<'_, '_>) {
    let tokens = EnvironmentTokens::parse(&environment_list(), &KeyPrefix::default()).unwrap();
    let digest = KeyDigest::of("secret-number-500");
    assert!(tokens.find(&digest).is_some());
    bencher.bench(|| tokens.find(black_box(&digest)));
}

fn environment_list() -> String {
    (0..1000).map(|number| format!("user-{number}|secret-number-{number}")).collect::<Vec<_>>().join(",")
}

#[divan::bench]
fn read_the_body_of_a_task_change(bencher: Bencher<'_, '_>) {
    let body = json!({ "title": "Buy milk", "description": "Two litres", "priority": "HIGH", "dueDate": "2026-11-24",
        "labels": ["shop", "weekly"], "isPrivate": false })
    .to_string();
    bencher.bench(|| Task::parse_update(Json::parse(black_box(body.as_bytes())).unwrap()).unwrap());
}

#[divan::bench]
fn read_the_body_of_a_note_change(bencher: Bencher<'_, '_>) {
    let body = json!({ "title": "Soup", "content": "Carrots. ".repeat(1000), "tags": ["kitchen"] }).to_string();
    bencher.bench(|| Note::parse_update(Json::parse(black_box(body.as_bytes())).unwrap()).unwrap());
}

#[divan::bench]
fn write_100_tasks_as_json(bencher: Bencher<'_, '_>) {
    let boards: Vec<Board> = serde_json::from_value(boards()).unwrap();
    bencher.bench(|| Document::of(black_box(&boards)).unwrap());
}

fn boards() -> Value {
    let person = json!({ "id": "ana", "name": "Ana", "image": null, "color": "#aabbcc", "emoji": null });
    let task = |number: usize| {
        json!({ "id": format!("task-{number}"), "columnId": "column", "title": format!("Task number {number}"),
            "description": "A description of the task in one sentence.   ".repeat(8), "priority": "MEDIUM",
            "dueDate": AT, "completed": false, "completedAt": null, "order": number, "labels": ["home", "weekly"],
            "isPrivate": false, "assigneeId": "ana", "assignee": person, "creatorId": "ana", "creator": person,
            "createdAt": AT, "updatedAt": AT })
    };
    let tasks: Vec<Value> = (0..100).map(task).collect();
    let column = json!({ "id": "column", "boardId": "board", "name": "To do", "emoji": null, "color": null, "order": 0,
        "createdAt": AT, "tasks": tasks });
    json!([{ "id": "board", "name": "Fixture", "description": null, "emoji": null, "color": null, "order": 0,
        "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT, "columns": [column] }])
}

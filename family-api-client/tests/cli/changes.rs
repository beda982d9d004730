//! `family changes`: what has changed since a state.

use family_api_core::key::KeyMode;
use serde_json::json;

use crate::sandbox::{Sandbox, id};

#[test]
fn changes_since_a_state_are_shown_with_the_next_state() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&["changes"]).succeeded();
    assert_eq!(first.lines().count(), 2, "{first}");
    let state = first.lines().last().unwrap().strip_prefix("state").unwrap().trim();

    sandbox.run(&["task", "change", "dentist", "--title", "Call the dentist"]).succeeded();
    let added = sandbox.run(&["note", "add", "Bins", "--json"]).json();
    sandbox.run(&["note", "delete", "wifi"]).succeeded();
    let shown = sandbox.run(&["changes", "--since", state]).succeeded();
    for row in ["changed  task  Call the dentist  dentist", &format!("changed  note  Bins              {}", id(&added))]
    {
        assert!(shown.contains(row), "{row}: {shown}");
    }
    assert!(shown.contains("deleted  note                    wifi"), "{shown}");

    let json = sandbox.run(&["changes", "--since", state, "--kind", "event", "--kind", "task", "--json"]).json();
    assert_eq!((&json["oldState"], &json["deleted"], &json["hasMore"]), (&json!(state), &json!([]), &json!(false)));
    assert_eq!(json["changed"].as_array().unwrap().len(), 1);
    assert_eq!(json["changed"][0]["record"]["title"], "Call the dentist");
    let next = json["newState"].as_str().unwrap();
    assert_eq!(sandbox.run(&["changes", "--since", next, "--json"]).json()["changed"], json!([]));
    let cut = sandbox.run(&["changes", "--since", state, "--limit", "1"]).succeeded();
    assert!(cut.contains("more changes follow it") && !cut.contains("wifi"), "{cut}");
}

#[test]
fn an_expired_state_and_wrong_arguments_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.run(&["changes", "--since", "nonsense"]).failed_with(1, &["(sync_expired)", "read everything again"]);
    sandbox.run(&["changes", "--since", ""]).failed_with(2, &["`since`"]);
    for arguments in [["--limit", "0"], ["--limit", "501"], ["--kind", "person"]] {
        assert_eq!(sandbox.run(&[&["changes"][..], &arguments].concat()).code, 2, "{arguments:?}");
    }
    sandbox.run_with(KeyMode::McpRead, &["changes"]).failed_with(3, &["(insufficient_scope)"]);
}

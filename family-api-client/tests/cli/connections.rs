//! `family connection`: the assistants that are connected without a key.

use crate::sandbox::Sandbox;

#[test]
fn connections_are_listed_and_ended() {
    let sandbox = Sandbox::new();
    sandbox.service.connect("grant-1");
    let listed = sandbox.run_signed_in(&["connections", "list"]).succeeded();
    for cell in ["Claude", "claude.example", "v1_read", "/api/v1/mcp", "grant-1"] {
        assert!(listed.contains(cell), "{cell}: {listed}");
    }
    let json = sandbox.run_signed_in(&["connections", "list", "--json"]).json();
    assert_eq!(json["connections"][0]["id"], "grant-1");

    let ended = sandbox.run_signed_in(&["connections", "revoke", "grant-1"]).succeeded();
    assert!(ended.starts_with("Ended connection  grant-1\n"), "{ended}");
    assert_eq!(sandbox.run_signed_in(&["connections", "revoke", "grant-1"]).failed().0, 4);
    assert_eq!(sandbox.run_signed_in(&["connections", "list", "--json"]).json()["connections"], serde_json::json!([]));
    assert_eq!(sandbox.service.sessions.count(), (5, 0));
}

#[test]
fn one_command_ends_all_access() {
    let sandbox = Sandbox::new();
    sandbox.service.connect("grant-1");
    let keys = sandbox.run_signed_in(&["keys", "list", "--json"]).json()["tokens"].as_array().unwrap().len();
    let ended = sandbox.run_signed_in(&["access", "revoke-all"]).succeeded();
    assert_eq!(ended, format!("Revoked keys       {keys}\nEnded connections  1\nEnded feeds        0\n"));
    let nothing = serde_json::json!({ "keys": 0, "connections": 0, "feeds": 0 });
    assert_eq!(sandbox.run_signed_in(&["access", "revoke-all", "--json"]).json(), nothing);
}

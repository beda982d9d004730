//! `family deleted`: the deleted records that can be restored.

use serde_json::json;

use crate::sandbox::Sandbox;

#[test]
fn deleted_records_are_listed_until_they_are_restored() {
    let sandbox = Sandbox::new();
    sandbox.run(&["task", "delete", "dentist"]).succeeded();
    let listed = sandbox.run_signed_in(&["deleted"]).succeeded();
    for cell in ["task", "Book the dentist", "dentist"] {
        assert!(listed.contains(cell), "{cell}: {listed}");
    }
    let json = sandbox.run_signed_in(&["deleted", "--kind", "task", "--json"]).json();
    assert_eq!((&json["records"][0]["id"], &json["nextCursor"]), (&json!("dentist"), &json!(null)));
    assert_eq!(sandbox.run_signed_in(&["deleted", "--kind", "note", "--json"]).json()["records"], json!([]));
    assert_eq!(sandbox.run_signed_in(&["deleted", "--cursor", "x"]).failed().0, 2);
    sandbox.run(&["task", "restore", "dentist"]).succeeded();
    assert_eq!(sandbox.run_signed_in(&["deleted", "--json"]).json()["records"], json!([]));
}

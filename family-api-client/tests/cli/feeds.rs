//! `family feed`: the addresses that calendar programs read.

use serde_json::json;

use crate::sandbox::Sandbox;

#[test]
fn feeds_are_created_listed_changed_and_ended() {
    let sandbox = Sandbox::new();
    let created = sandbox.run_signed_in(&["feed", "create", "Family", "--shows", "both"]);
    assert_eq!(created.code, 0, "{created:?}");
    let address = created.out.strip_suffix('\n').unwrap();
    assert!(created.err.starts_with("family: created the feed ") && !created.err.contains("famcal_"), "{created:?}");
    let path = format!("{}/calendar/famcal_", sandbox.service.url);
    assert!(address.starts_with(&path) && address.strip_suffix(".ics").is_some(), "{created:?}");

    let json = sandbox.run_signed_in(&["feeds", "list", "--json"]).json();
    let feed = json["feeds"][0].clone();
    assert_eq!((&feed["name"], &feed["shows"], &feed["detail"]), (&json!("Family"), &json!("both"), &json!("full")));
    let id = feed["id"].as_str().unwrap();
    let listed = sandbox.run_signed_in(&["feed", "list"]).succeeded();
    for cell in ["Family", "both", "full", feed["hint"].as_str().unwrap(), id] {
        assert!(listed.contains(cell), "{cell}: {listed}");
    }

    let edited = ["feed", "edit", id, "--detail", "busy", "--name", "Busy times", "--person", "ANA", "--json"];
    let edited = sandbox.run_signed_in(&edited).json();
    assert_eq!(
        (&edited["detail"], &edited["name"], &edited["shows"]),
        (&json!("busy"), &json!("Busy times"), &json!("both"))
    );
    assert_eq!(edited["personIds"], json!(["ana"]));
    let widened = sandbox.run_signed_in(&["feed", "edit", id, "--all-persons", "--json"]).json();
    assert_eq!((&widened["personIds"], &widened["detail"]), (&json!([]), &json!("busy")));

    assert_eq!(sandbox.run_signed_in(&["feed", "end", id]).succeeded(), format!("Ended feed  {id}\n"));
    assert_eq!(sandbox.run_signed_in(&["feed", "end", id]).failed().0, 4);
}

#[test]
fn a_new_feed_names_every_fault() {
    let sandbox = Sandbox::new();
    let (code, message) = sandbox.run_signed_in(&["feed", "create", " ", "--person", "Ana"]).failed();
    assert!(code != 0 && message.contains("/name"), "{message}");
    for (option, kind) in [("--person", "member"), ("--board", "board")] {
        let (code, message) = sandbox.run_signed_in(&["feed", "create", "x", option, "stranger"]).failed();
        assert!(code == 4 && message.contains(&format!("no {kind}")) && message.contains("stranger"), "{message}");
    }
    let refused = sandbox.run_signed_in(&["feed", "create", "x", "--shows", "all"]);
    assert!(refused.code == 2 && refused.err.contains("possible values: events, tasks, both"), "{refused:?}");
}

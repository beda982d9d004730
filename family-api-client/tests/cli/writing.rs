//! Writes.

use family_api_core::key::KeyMode;

use crate::sandbox::Sandbox;

#[test]
fn a_task_moves_to_a_position_or_to_the_end_of_a_column() {
    let sandbox = Sandbox::new();
    let columns = sandbox.run(&["task", "columns"]).succeeded();
    assert!(columns.ends_with("🏡 Home / In progress  0           doing\n"), "{columns}");
    let moved = sandbox.run(&["task", "move", "dentist", "--column", "doing", "--order", "7", "--json"]).json();
    assert_eq!((&moved["columnId"], &moved["order"]), (&"doing".into(), &7.into()));
    let moved = sandbox.run(&["task", "move", "hostile", "--column", "doing", "--json"]).json();
    assert_eq!((&moved["columnId"], &moved["order"]), (&"doing".into(), &8.into()));
}

#[test]
fn a_read_only_key_cannot_write_and_the_error_names_a_mode() {
    let sandbox = Sandbox::new();
    for arguments in [&["task", "done", "dentist"], &["note", "rm", "wifi"]] {
        sandbox.run_with(KeyMode::V1Read, arguments).failed_with(3, &["v1_read_write"]);
    }
    for arguments in [&["task", "add", "Tidy up"][..], &["shopping", "check", "milk"], &["note", "restore", "wifi"]] {
        sandbox.run_with(KeyMode::V1ReadWrite, arguments).failed_with(3, &["v1_full"]);
    }
}

/// Returns the entity tag of a record from `family task etag` or `family note etag`.
fn etag(sandbox: &Sandbox, group: &str, id: &str) -> String {
    let record = sandbox.run(&[group, "etag", id, "--json"]).json();
    assert_eq!(record["id"], id);
    record["etag"].as_str().unwrap().to_owned()
}

#[test]
fn every_change_prints_the_tag_for_the_next_one() {
    let sandbox = Sandbox::new();
    let first = etag(&sandbox, "task", "dentist");
    let done = sandbox.run(&["task", "done", "dentist", "--if-match", &first, "--json"]).json();
    assert_eq!((&done["completed"], &done["labels"]), (&true.into(), &serde_json::json!([])));
    let second = done["etag"].as_str().unwrap();
    assert_ne!(second, first);
    let shown = sandbox.run(&["task", "reopen", "dentist", "--if-match", second]).succeeded();
    let (name, third) = shown.lines().last().unwrap().split_once(' ').unwrap();
    assert_eq!((name, third.trim()), ("ETag", etag(&sandbox, "task", "dentist").as_str()));
    let place = ["task", "move", "dentist", "--column", "doing", "--if-match", third.trim(), "--json"];
    let fourth = sandbox.run(&place).json();
    let place = ["task", "move", "dentist", "--column", "doing", "--order", "9", "--if-match"];
    let moved = sandbox.run(&[&place[..], &[fourth["etag"].as_str().unwrap()]].concat()).succeeded();
    assert!(moved.contains("\nOrder      9\n"), "{moved}");

    assert!(sandbox.run(&["note", "etag", "wifi"]).succeeded().contains("On the\n"));
    let note = etag(&sandbox, "note", "wifi");
    assert!(sandbox.run(&["note", "rm", "wifi", "--if-match", &note]).succeeded().starts_with("Deleted  wifi\n"));
}

#[test]
fn one_occurrence_of_an_event_is_skipped_changed_and_restored() {
    let sandbox = Sandbox::new();
    sandbox.run(&["event", "change", "piano", "--repeat", "FREQ=WEEKLY"]).succeeded();
    let id = "piano@20261127T233000Z";
    let skipped = sandbox.run(&["event", "delete", "piano", "--on", id]).succeeded();
    assert_eq!(skipped, format!("Deleted  {id}\nRestore  family event unskip piano --on {id}\n"));
    sandbox.run(&["event", "delete", "piano", "--on", id]).failed_with(4, &[]);
    let restored = sandbox.run(&["event", "unskip", "piano", "--on", id, "--json"]).json();
    assert_eq!(restored["recurrence"], "FREQ=WEEKLY");
    let change = ["event", "change", "piano", "--on", "2026-11-28", "--title", "Recital", "--json"];
    let changed = sandbox.run(&change).json();
    assert_eq!((&changed["title"], &changed["overrides"][0]["title"]), (&"Piano lesson".into(), &"Recital".into()));
    let all = ["event", "change", "piano", "--on", id, "--all", "--start", "2026-11-29 00:30", "--json"];
    assert_eq!(sandbox.run(&all).json()["startDate"], "2026-11-21T23:30:00.000Z");
    let later = ["event", "change", "piano", "--on", "2026-12-13", "--following", "--title", "Choir", "--json"];
    let other = sandbox.run(&later).json();
    assert_eq!((&other["title"], &other["startDate"]), (&"Choir".into(), &"2026-12-12T23:30:00.000Z".into()));
    assert_ne!(other["id"], "piano");
    let both = sandbox.run(&[&later[..], &["--all"]].concat());
    assert!(both.code == 2 && both.err.contains("'--following' cannot be used with '--all'"), "{both:?}");
    let end = ["event", "delete", "piano", "--on", "2026-12-06", "--following", "--json"];
    assert_eq!(sandbox.run(&end).json()["success"], true);
    let event = sandbox.run(&["event", "etag", "piano", "--json"]).json();
    assert_eq!(event["recurrence"], "FREQ=WEEKLY;UNTIL=20261205T232959Z");
}

#[test]
fn a_stale_tag_exits_with_6_and_nothing_is_changed() {
    let sandbox = Sandbox::new();
    let stale = etag(&sandbox, "task", "dentist");
    let current = sandbox.run(&["task", "move", "dentist", "--column", "doing", "--json"]).json();
    for arguments in [
        &["task", "done", "dentist"][..],
        &["task", "reopen", "dentist"],
        &["task", "move", "dentist", "--column", "todo"],
        &["task", "move", "dentist", "--column", "todo", "--order", "0"],
        &["note", "rm", "wifi"],
    ] {
        let (code, message) = sandbox.run(&[arguments, &["--if-match", &stale]].concat()).failed();
        assert!(code == 6 && message.contains("(precondition_failed)"), "{arguments:?}: {message}");
        assert!(message.contains("etag") && !message.contains("may have"), "{message}");
    }
    assert_eq!(etag(&sandbox, "task", "dentist"), current["etag"]);
    assert!(sandbox.run(&["read", "notes"]).succeeded().contains("wifi"));
}

#[test]
fn a_write_that_may_have_taken_effect_exits_with_5() {
    let sandbox = Sandbox::new();
    let url = format!("{}/status/503", sandbox.service.url);
    for arguments in [&["task", "done", "dentist", "--url", &url][..], &["note", "rm", "wifi", "--url", &url]] {
        for condition in [&[][..], &["--if-match", "\"1\""]] {
            sandbox.run(&[arguments, condition].concat()).failed_with(5, &["; the call may have taken effect"]);
        }
    }
}

#[test]
fn an_invalid_tag_exits_with_2() {
    let sandbox = Sandbox::new();
    for condition in ["*", "1", "W/\"1\"", ""] {
        let run = sandbox.run(&["task", "done", "dentist", "--if-match", condition]);
        assert!(run.code == 2 && run.err.contains("with its quotes"), "{run:?}");
    }
}

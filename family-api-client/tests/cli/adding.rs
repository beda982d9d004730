//! Tasks, events and notes that are added, changed, deleted and restored.

use serde_json::json;

use crate::sandbox::{Sandbox, id, run};

#[test]
fn a_task_is_added_to_the_first_column_or_a_named_one() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["task", "add", "Buy a lamp"]).succeeded();
    assert!(shown.starts_with("Task       Buy a lamp\n") && shown.contains("\nColumn id  todo\n"), "{shown}");
    for place in [&["--column", "in PROGRESS"][..], &["--board", "home", "--column", "doing"]] {
        let task = sandbox.run(&[&["task", "add", "Buy a lamp", "--json"], place].concat()).json();
        assert_eq!(task["columnId"], "doing", "{place:?}");
    }
    assert_eq!(sandbox.run(&["task", "add", "T", "--board", "Home", "--json"]).json()["columnId"], "todo");
    assert!(sandbox.run(&["task", "add", "Buy", "two", "lamps"]).succeeded().starts_with("Task       Buy two lamps\n"));
    assert!(sandbox.run(&["tasks"]).succeeded().contains("Buy a lamp"));
    for (place, name) in [(["--board", "Garden"], "`Garden`"), (["--column", "Later"], "`Later`")] {
        sandbox.run(&[&["task", "add", "T"][..], &place].concat()).failed_with(4, &[name]);
    }
}

#[test]
fn a_task_is_added_with_all_its_fields() {
    let sandbox = Sandbox::new();
    let arguments = ["task", "add", "Call", "--private", "--description", "At noon", "--json"];
    let more =
        ["--due", "2026-12-24 18:00", "--priority", "urgent", "--assignee", "me", "--label", "a", "--label", "b"];
    let task = sandbox.run(&[&arguments[..], &more].concat()).json();
    // The time is in the zone of the profile, Europe/Madrid.
    assert_eq!((&task["dueDate"], &task["priority"]), (&json!("2026-12-24T17:00:00.000Z"), &json!("URGENT")));
    assert_eq!((&task["assigneeId"], &task["labels"]), (&json!("ana"), &json!(["a", "b"])));
    assert_eq!((&task["isPrivate"], &task["description"]), (&json!(true), &json!("At noon")));
    assert!(task["etag"].is_string());
    let by_name = sandbox.run(&["task", "add", "Call", "--assignee", "ana", "--json"]).json();
    assert_eq!(by_name["assigneeId"], "ana");
    sandbox.run(&["task", "add", "Call", "--assignee", "unknown-user"]).failed_with(2, &["/assigneeId: "]);
    for bad in [["--due", "tomorrow"], ["--priority", "soon"], ["--due", "2026-12-24T18"]] {
        assert_eq!(sandbox.run(&[&["task", "add", "T"][..], &bad].concat()).code, 2, "{bad:?}");
    }
}

#[test]
fn a_recurring_task_is_due_again_when_it_is_done() {
    let sandbox = Sandbox::new();
    let bins = sandbox.run(&["task", "add", "Bins", "--due", "2126-12-02", "--repeat", "FREQ=DAILY", "--json"]).json();
    assert_eq!(bins["recurrence"], "DTSTART;TZID=Europe/Madrid:21261202T000000\nRRULE:FREQ=DAILY");
    let shown = sandbox.run(&["task", "done", "bins"]).succeeded();
    assert!(shown.contains("\nDue        2126-12-03 00:00\nRepeats    FREQ=DAILY\nDone\nLast done  20"), "{shown}");
    sandbox.run(&["task", "change", "bins", "--remove", "due"]).failed_with(2, &["/dueDate: "]);
    let shown = sandbox.run(&["task", "change", "bins", "--remove", "due", "--remove", "repeat"]).succeeded();
    assert!(shown.contains("\nDue\nRepeats\n"), "{shown}");
    sandbox.run(&["task", "change", "bins", "--repeat", "daily"]).failed_with(2, &["/recurrence: "]);
}

#[test]
fn a_task_is_changed_deleted_and_restored() {
    let sandbox = Sandbox::new();
    let arguments =
        ["task", "change", "dentist", "--title", "Book", "--remove", "due", "--remove", "assignee", "--json"];
    let changed = sandbox.run(&arguments).json();
    assert_eq!(
        (&changed["title"], &changed["dueDate"], &changed["assigneeId"]),
        (&json!("Book"), &json!(null), &json!(null))
    );
    assert_eq!(sandbox.run(&["task", "delete", "dentist", "--if-match", "\"stale\""]).failed().0, 6);
    let deleted = "Deleted  dentist\nRestore  family task restore dentist\n";
    assert_eq!(sandbox.run(&["task", "delete", "dentist"]).succeeded(), deleted);
    assert_eq!(sandbox.run(&["task", "done", "dentist"]).failed().0, 4);
    assert!(sandbox.run(&["task", "restore", "dentist"]).succeeded().starts_with("Task       Book\n"));
    assert_eq!(sandbox.run(&["task", "restore", "nowhere"]).failed().0, 4);
}

#[test]
fn an_event_is_added_changed_deleted_and_restored() {
    let sandbox = Sandbox::new();
    let arguments = ["event", "add", "Football", "--start", "2026-12-01 17:00", "--end", "2026-12-01T18:00"];
    let more = ["--repeat", "FREQ=WEEKLY;BYDAY=TU", "--location", "Park", "--assignee", "Ana", "--json"];
    let event = sandbox.run(&[&arguments[..], &more].concat()).json();
    assert_eq!(
        (&event["startDate"], &event["endDate"]),
        (&json!("2026-12-01T16:00:00.000Z"), &json!("2026-12-01T17:00:00.000Z"))
    );
    assert_eq!((&event["recurrence"], &event["assigneeId"]), (&json!("FREQ=WEEKLY;BYDAY=TU"), &json!("ana")));
    let shown = sandbox.run(&["event", "change", id(&event), "--location", "Hall", "--remove", "repeat"]).succeeded();
    assert!(shown.contains("\nWhere    Hall\n") && shown.contains("\nRepeats\n"), "{shown}");
    sandbox.run(&["event", "delete", id(&event)]).succeeded();
    assert!(!sandbox.run(&["events"]).succeeded().contains("Football"));
    sandbox.run(&["event", "restore", id(&event)]).succeeded();
    let etag = sandbox.run(&["event", "etag", id(&event), "--json"]).json();
    assert_eq!((&etag["location"], &etag["recurrence"]), (&json!("Hall"), &json!(null)));
}

#[test]
fn a_moved_event_keeps_its_length() {
    let sandbox = Sandbox::new();
    let event = ["event", "add", "Football", "--start", "2026-12-01 17:00", "--end", "2026-12-01 18:30", "--json"];
    let event = sandbox.run(&event).json();
    let shown = sandbox.run(&["event", "change", id(&event), "--start", "2026-12-03 16:00"]).succeeded();
    assert!(shown.contains("\nBegins   2026-12-03 16:00\nEnds     2026-12-03 17:30\n"), "{shown}");
}

#[test]
fn a_time_that_does_not_mean_what_it_says_is_named() {
    let sandbox = Sandbox::new();
    // The clock skips the start and repeats the end in Madrid.
    let event = ["event", "add", "Night", "--start", "2026-03-29 02:30", "--end", "2026-10-25 02:30"];
    for output in [&[][..], &["--json"]] {
        let added = sandbox.run(&[&event[..], output].concat());
        let skipped = "family: startDate: the clock skips this time, so it moved forward\n";
        let repeated = "family: endDate: the clock shows this time twice, and the first one counts\n";
        assert_eq!((added.code, added.err), (0, format!("{skipped}{repeated}")));
    }
    let foreign = sandbox.run(&["task", "change", "dentist", "--due", "2026-12-24T18:00+02:00"]);
    assert_eq!(foreign.err, "family: dueDate: your time zone does not have this offset then\n");
    assert!(foreign.out.contains("2026-12-24 17:00"), "{foreign:?}");
}

#[test]
fn an_all_day_event_ends_on_its_last_day() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["event", "add", "Fair", "--start", "2026-12-24"]).succeeded();
    assert!(shown.contains("\nBegins   2026-12-24\nEnds     2026-12-24\n"), "{shown}");
    let days = ["--start", "2026-12-24", "--end", "2027-01-06"];
    let shown = sandbox.run(&[&["event", "add", "Winter", "holidays"][..], &days].concat()).succeeded();
    assert!(shown.starts_with("Event    Winter holidays\nBegins   2026-12-24\nEnds     2027-01-06\n"), "{shown}");
    for times in [
        &["--start", "2026-12-24 18:00"][..],
        &["--start", "2026-12-24 18:00", "--end", "2026-12-25"],
        &["--start", "2026-12-24", "--end", "2026-12-25 18:00"],
    ] {
        sandbox.run(&[&["event", "add", "T"], times].concat()).failed_with(2, &["--end"]);
    }
    sandbox.run(&["event", "add", "T", "--start", "2026-12-24", "--end", "2026-12-23"]).failed_with(2, &["/endDate: "]);
    sandbox.run(&["event", "change", "piano", "--repeat", "daily"]).failed_with(2, &["/recurrence: "]);
}

#[test]
fn a_note_is_added_from_an_argument_or_standard_input() {
    let sandbox = Sandbox::new();
    let note = sandbox.run(&["note", "add", "Keys", "--content", "- in the drawer", "--json"]).json();
    assert_eq!((&note["title"], &note["content"]), (&json!("Keys"), &json!("- in the drawer")));
    sandbox.file("list.txt", "socks\nhat\n", 0o600);
    let input = sandbox.open("list.txt");
    let mut command = sandbox.command(&["note", "change", id(&note), "--content", "-", "--json"]);
    let key = sandbox.service.key(family_api_core::key::KeyMode::V1Full);
    let changed = run(command.env("FAMILY_API_TOKEN", key).stdin(input)).json();
    assert_eq!(changed["content"], "socks\nhat\n");
    sandbox.run(&["note", "delete", id(&note)]).succeeded();
    assert!(!sandbox.run(&["notes"]).succeeded().contains("Keys"));
    assert!(sandbox.run(&["note", "restore", id(&note)]).succeeded().starts_with("Note      Keys\n"));
    assert_eq!(sandbox.run(&["note", "add", "Empty", "--json"]).json()["content"], "");
}

#[test]
fn a_record_is_named_by_its_id_or_its_title() {
    let sandbox = Sandbox::new();
    let note = sandbox.run(&["note", "change", "WI-FI", "--pin", "--tag", "home", "--json"]).json();
    assert_eq!((&note["id"], &note["tags"]), (&json!("wifi"), &json!(["home"])));
    let event = sandbox.run(&["event", "change", "christmas market", "--location", "Square", "--json"]).json();
    assert_eq!(event["id"], "market");
    let task = sandbox.run(&["task", "move", "book the dentist", "--column", "in progress", "--json"]).json();
    assert_eq!((&task["id"], &task["columnId"]), (&json!("dentist"), &json!("doing")));
    assert!(sandbox.run(&["task", "delete", "Book the dentist"]).succeeded().starts_with("Deleted  dentist\n"));
    assert_eq!(sandbox.run(&["task", "done", "Book the dentist"]).failed().0, 4);
}

#[test]
fn an_open_task_is_named_before_a_completed_one() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&["task", "add", "Water the plants", "--json"]).json();
    sandbox.run(&["task", "done", "water the plants"]).succeeded();
    let second = sandbox.run(&["task", "add", "Water the plants", "--json"]).json();
    let id_after = |verb| sandbox.run(&["task", verb, "Water the plants", "--json"]).json()["id"].clone();
    assert_eq!(id_after("etag"), second["id"]);
    assert_eq!(id_after("reopen"), first["id"]);
    sandbox.run(&["task", "done", "Water the plants"]).failed_with(2, &["more than one task"]);
    sandbox.run(&["task", "delete", "Water the plants"]).failed_with(2, &["use an id: "]);
}

#[test]
fn a_reference_to_nothing_is_not_taken_for_an_unknown_record() {
    let sandbox = Sandbox::new();
    for task in ["dentist", "Book the dentist"] {
        let unassignable = ["task", "change", task, "--assignee", "unknown-user"];
        sandbox.run(&unassignable).failed_with(2, &["/assigneeId: is not the id of a member of the family"]);
    }
    for arguments in [
        &["note", "change", "wifi", "--category", "nothing-here"][..],
        &["note", "add", "Soup", "--category", "Recipes"],
    ] {
        sandbox.run(arguments).failed_with(4, &["a record that the arguments name does not exist"]);
    }
}

#[test]
fn a_note_gets_a_category_by_id_or_by_the_name_on_another_note() {
    let sandbox = Sandbox::new();
    let category = sandbox.run_signed_in(&["category", "add", "Recipes", "--json"]).json();
    let soup = sandbox.run(&["note", "add", "Soup", "--category", id(&category), "--json"]).json();
    assert_eq!(soup["category"]["name"], "Recipes");
    let cake = sandbox.run(&["note", "add", "Cake", "--category", "recipes", "--json"]).json();
    assert_eq!(cake["categoryId"], category["id"]);
    let cake = sandbox.run(&["note", "change", "Cake", "--remove", "category", "--unpin", "--json"]).json();
    assert_eq!(cake["categoryId"], json!(null));
}

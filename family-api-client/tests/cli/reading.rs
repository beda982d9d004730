//! Reads, as tables and as JSON.

use family_api_core::key::KeyMode;
use family_api_testing::line;
use serde_json::Value;

use crate::records::records;
use crate::sandbox::Sandbox;

#[test]
fn me_shows_the_profile_of_the_keys_user() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["me"]).succeeded();
    assert!(shown.starts_with("Name          🌸 Ana\nE-mail        ana@family.example\n"), "{shown}");
    let profile = sandbox.run(&["me", "--json"]).json();
    assert_eq!((&profile["timeZone"], &profile["image"]), (&"Europe/Madrid".into(), &serde_json::Value::Null));
}

#[test]
fn members_shows_the_people_of_the_family() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["members"]).succeeded();
    assert!(shown.starts_with("Name") && shown.contains("🌸 Ana"), "{shown}");
    let members = sandbox.run(&["members", "--json"]).json();
    let ids: Vec<&str> = members.as_array().unwrap().iter().map(|member| member["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted() && !ids.is_empty(), "{ids:?}");
    assert!(ids.iter().all(|id| shown.contains(id)), "{shown}");
}

#[test]
fn tasks_are_the_open_ones_by_default() {
    let sandbox = Sandbox::new();
    for (arguments, ids) in [
        (&["read", "tasks"][..], &["dentist", "hostile"][..]),
        (&["read", "tasks", "--completed", "true"], &["laundry"]),
        (&["read", "tasks", "--completed", "false"], &["dentist", "hostile"]),
        (&["read", "tasks", "--completed=all"], &["dentist", "hostile", "laundry"]),
    ] {
        let shown = sandbox.run(arguments).succeeded();
        let last = |line: &str| line.split_whitespace().last().unwrap().to_owned();
        let found: Vec<String> = shown.lines().skip(1).map(last).collect();
        assert_eq!(found, ids, "{shown}");
        let boards = sandbox.run(&[arguments, &["--json"]].concat()).json();
        assert_eq!(boards[0]["columns"][0]["tasks"].as_array().unwrap().len(), ids.len());
    }
    let shown = sandbox.run(&["read", "tasks"]).succeeded();
    assert!(shown.lines().nth(1).unwrap().starts_with("Book the dentist  "), "{shown}");
    assert!(shown.contains("HIGH      2026-11-20 10:00        🌸 Ana  🏡 Home / To do  dentist\n"), "{shown}");
}

#[test]
fn events_are_selected_by_day() {
    let sandbox = Sandbox::new();
    for (arguments, titles) in [
        (&["events"][..], &["piano", "fair", "market"][..]),
        (&["events", "--from", "2026-11-21"], &["piano", "fair", "market"]),
        (&["read", "events", "--from", "2026-11-22"], &["market"]),
        (&["events", "--to", "2026-11-21"], &["piano"]),
        (&["events", "--from", "2026-11-21", "--to", "2026-11-21"], &["piano"]),
        (&["events", "--from", "2026-11-21", "--to", "2026-11-21", "--expand"], &["piano", "fair"]),
        (&["read", "events", "--expand", "--from", "2026-11-22", "--to", "2026-11-22"], &["fair"]),
    ] {
        let events = sandbox.run(&[arguments, &["--json"]].concat()).json();
        let ids: Vec<&str> = events.as_array().unwrap().iter().map(|event| event["id"].as_str().unwrap()).collect();
        assert_eq!(ids, titles, "{arguments:?}");
    }
}

#[test]
fn times_are_in_the_zone_of_the_profile_or_of_the_machine() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["events", "--to", "2026-11-22"]).succeeded();
    let rows = "2026-11-21 00:30  2026-11-21 00:30  Piano lesson  Town   🌸 Ana  piano\n\
                2026-11-21        2026-11-22        Fair          Town   🌸 Ana  fair\n";
    assert!(shown.ends_with(rows), "{shown}");
    let shown = sandbox.run(&["events", "--read-path"]).succeeded();
    assert!(shown.contains("2026-11-20 18:30 -05:00  2026-11-20 18:30 -05:00  Piano lesson"), "{shown}");
    assert!(shown.contains("2026-11-21               2026-11-22               Fair"), "{shown}");
}

#[test]
fn shopping_notes_and_task_stats_are_shown() {
    let sandbox = Sandbox::new();
    for (resource, words) in [
        ("shopping", &["Groceries", "Milk", "2 l", "yes", "🌸 Ana", "milk"][..]),
        ("notes", &["Wi-Fi", "On the fridge", "guests", "wifi"]),
        ("task_stats", &["Open            2\n", "Done ever       1\n"]),
    ] {
        let shown = sandbox.run(&["read", resource]).succeeded();
        assert!(words.iter().all(|word| shown.contains(word)), "{shown}");
    }
    assert_eq!(sandbox.run(&["read", "shopping", "--json"]).json()[0]["items"][0]["id"], "milk");
    assert_eq!(sandbox.run(&["--json", "read", "notes"]).json()[0]["content"], "On the\nfridge");
    assert_eq!(sandbox.run(&["read", "--json", "task-stats"]).json()["myOpen"], 2);
}

#[test]
fn overview_shows_today_and_the_next_days() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["overview"]).succeeded();
    for words in ["today", "Book the dentist", "(overdue)", "Home / To do", "2 open", "Groceries", "Ana"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let overview = sandbox.run(&["overview", "--json", "--person", "ana", "--days", "0"]).json();
    assert_eq!((&overview["lastDay"], &overview["openTasks"]["total"]), (&overview["today"], &2.into()));
    for person in ["me", "unassigned", "ANA"] {
        let arguments = ["overview", "--read-path", "--json", "--person", person];
        let overview = sandbox.run_with(KeyMode::McpRead, &arguments).json();
        let tasks = if person == "unassigned" { 0 } else { 2 };
        assert_eq!(overview["openTasks"]["total"], tasks, "{person}: {overview}");
    }
    let refused = sandbox.run(&["overview", "--days", "32"]);
    assert!(refused.code == 2 && refused.err.contains("0 to 31"), "{refused:?}");
    sandbox.run(&["overview", "--person", "no one"]).failed_with(4, &["`no one`"]);
    sandbox.run(&["overview", "--person", "stranger"]).failed_with(2, &["assignee"]);
}

fn user(id: &str, name: &str) -> Value {
    line!("user", id, { "familyId": "rivera", "name": name, "email": format!("{id}@family.example") })
}

/// The members of the read path are the first 20, ordered by name. Here, the last of them has the name of the next one.
#[test]
fn a_person_is_named_only_if_the_names_of_all_members_are_known() {
    let mut all = records();
    all.extend((0..18).map(|number| user(&format!("al-{number}"), &format!("Al {number:02}"))));
    all.extend([user("ann-1", "Ann"), user("ann-2", "Ann"), user("zoe", "Zoe K")]);
    all.push(line!("task", "paint", {
        "familyId": "rivera", "columnId": "todo", "title": "Paint", "creatorId": "ana", "assigneeId": "zoe",
    }));
    let sandbox = Sandbox::with_records(&all);
    for person in ["zoe k", "zoe"] {
        let overview = sandbox.run(&["overview", "--json", "--person", person]).json();
        assert_eq!(overview["openTasks"]["total"], 1, "{person}: {overview}");
    }
    sandbox.run(&["overview", "--person", "Ann"]).failed_with(2, &["ann-1 (Ann), ann-2 (Ann)"]);
    sandbox.run(&["task", "add", "Call", "--assignee", "ann"]).failed_with(2, &["ann-1 (Ann), ann-2 (Ann)"]);
    let without_task = sandbox.run(&["task", "add", "Call", "--assignee", "al 03", "--json"]).json();
    assert_eq!(without_task["assigneeId"], "al-3");

    let arguments = ["overview", "--read-path", "--json", "--person"];
    let run = |person| sandbox.run_with(KeyMode::McpRead, &[&arguments[..], &[person]].concat());
    for (id, tasks) in [("zoe", 1), ("ann-1", 0), ("ann-2", 0)] {
        assert_eq!(run(id).json()["openTasks"]["total"], tasks, "{id}");
    }
    for name in ["Ann", "Zoe K", "Al 03"] {
        run(name).failed_with(2, &[&format!("use the id of `{name}`")]);
    }
}

#[test]
fn a_person_is_not_named_among_shortened_names() {
    let long = "Ana Isabel María de la Concepción Rivera López";
    let sandbox = Sandbox::with_records(&[&records()[..], &[user("isabel", long)]].concat());
    let arguments = ["overview", "--read-path", "--json", "--person"];
    let run = |person| sandbox.run_with(KeyMode::McpRead, &[&arguments[..], &[person]].concat());
    assert_eq!(run("isabel").json()["openTasks"]["total"], 0);
    run(long).failed_with(2, &["use the id of"]);
    assert_eq!(sandbox.run(&["overview", "--json", "--person", long]).json()["openTasks"]["total"], 0);
}

#[test]
fn a_note_is_shown_with_all_its_lines() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(&["note", "show", "wifi"]).succeeded();
    assert!(shown.starts_with("Note      Wi-Fi\n"), "{shown}");
    assert!(shown.ends_with("Content   On the\n          fridge\n"), "{shown}");
    assert_eq!(sandbox.run(&["note", "show", "wifi", "--json"]).json()["content"], "On the\nfridge");
    assert_eq!(sandbox.run(&["note", "show", "nowhere"]).failed().0, 4);
}

#[test]
fn a_read_path_key_works_only_with_the_read_path() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run_with(KeyMode::McpRead, &["read", "notes", "--read-path"]).succeeded();
    assert!(shown.contains("Wi-Fi"));
    for arguments in [&["events", "--read-path"][..], &["note", "show", "wifi", "--read-path"]] {
        sandbox.run_with(KeyMode::McpRead, arguments).succeeded();
    }
    let refused = sandbox.run_with(KeyMode::McpRead, &["read", "notes"]);
    refused.failed_with(3, &["(insufficient_scope)", "--read-path"]);
}

//! Some clients show their model only the structured content of an answer, and others only its text. So both parts of
//! every answer of every tool have the same facts.

use std::collections::BTreeSet;

use family_api_testing::line;
use serde_json::{Value, json};

use crate::client::{V1, mcp, names, result, succeed};
use crate::storages::{StorageKind, load, on_every_storage};
use crate::support::{App, fixture};
use crate::writes::FULL;

/// The words of the texts that are no facts of the family. No name of the records below is among them.
const WORDS: &str = "a act added again all all-day an and another are at be before board boards busy by call category changed \
    characters checked clashes column columns completed content created cursor cut day days deleted description done due \
    etag event events everyone field first following for free from has have id in incomplete is it its item items kind \
    labels last least list lists long may member members minutes more my named new next no note nothing notes now occurrence \
    occurrences of on only open other others overdue overlaps page perhaps pinned private repeat repeated restore \
    restored same shopping shown skipped tags take task tasks the this time times to today too unchanged use value version \
    was which with you zone brings back 7 30";

/// What the text says if a member of the structured content is true. A member that is not listed fails the test.
const MARKS: [(&str, &[&str]); 9] = [
    ("completed", &["done"]),
    ("overdue", &["overdue"]),
    ("pinned", &["pinned"]),
    ("isPrivate", &["private"]),
    ("allDay", &["all day"]),
    ("cut", &["Not complete", "May be"]),
    ("eventsCut", &["may be incomplete"]),
    ("descriptionCut", &["(cut)"]),
    // An item, or a report about clashes.
    ("checked", &["checked", "clashes", "verlaps"]),
];

/// Returns the texts, the numbers and the lengths of lists of structured content, and the names of what is true.
fn facts(name: &str, found: &Value, facts: &mut Vec<String>, lengths: &mut Vec<String>, marks: &mut BTreeSet<String>) {
    match found {
        Value::Object(members) if name == "before" => {
            for (name, replaced) in members {
                self::replaced(name, replaced, facts);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                self::facts(name, member, facts, lengths, marks);
            }
        }
        Value::Array(elements) => {
            lengths.push(elements.len().to_string());
            for element in elements {
                self::facts(name, element, facts, lengths, marks);
            }
        }
        // The text has a verb for it, such as "completed".
        Value::String(result) if name == "result" && result == "changed" => {}
        Value::String(text) => facts.push(text.clone()),
        Value::Number(number) => facts.push(number.to_string()),
        Value::Bool(true) => drop(marks.insert(name.to_owned())),
        Value::Bool(false) | Value::Null => {}
    }
}

/// Adds the name and the words of a value that was replaced. The text has it in one line.
fn replaced(name: &str, value: &Value, facts: &mut Vec<String>) {
    facts.push(name.to_owned());
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            facts.extend(elements.iter().map(|element| element.as_str().unwrap().to_owned()));
        }
        Value::Null | Value::Array(_) => facts.push("none".to_owned()),
        Value::String(text) => facts.push(text.replace('\n', " ")),
        other => facts.push(other.to_string()),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let trimmed = text.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    trimmed.filter(|word| !word.is_empty())
}

/// Asserts that both parts of an answer have the same facts.
fn assert_same_facts(tool: &str, found: &Value, text: &str) {
    let (mut facts, mut lengths, mut marks) = (Vec::new(), Vec::new(), BTreeSet::new());
    self::facts("", found, &mut facts, &mut lengths, &mut marks);
    for fact in &facts {
        assert!(text.contains(fact.as_str()), "{tool}: {fact:?} is missing in the text: {text}");
    }
    for mark in marks {
        let (_, said) = MARKS.iter().find(|(name, _)| *name == mark).unwrap_or_else(|| panic!("{tool}: {mark}"));
        assert!(said.iter().any(|words| text.contains(words)), "{tool}: {mark} is missing in the text: {text}");
    }
    let known: BTreeSet<&str> = facts.iter().chain(&lengths).flat_map(|fact| words(fact)).chain(words(WORDS)).collect();
    let missing: BTreeSet<&str> =
        words(text).filter(|word| !known.contains(word) && !known.contains(&*word.to_lowercase())).collect();
    assert!(missing.is_empty(), "{tool}: {missing:?} are missing in the content {found}: {text}");
}

/// Records with all fields, long texts and privacy.
fn records() -> Vec<Value> {
    let at = "2026-11-19T08:00:00Z";
    vec![
        line!("board", "secret", { "familyId": "berg", "name": "Surprise", "isPrivate": true, "ownerUserId": "ann" }),
        line!("column", "secret-column", { "familyId": "berg", "boardId": "secret", "name": "Ideas" }),
        line!("task", "cake", {
            "familyId": "berg", "columnId": "secret-column", "title": "Bake cake", "isPrivate": true, "creatorId": "ann",
            "assigneeId": "ann", "dueDate": "2026-11-18T17:30:00Z", "labels": ["oven", "party"], "priority": "URGENT",
            "description": "Two layers.\nNo nuts.",
        }),
        line!("task", "paint", {
            "familyId": "berg", "columnId": "column-berg", "title": "Paint fence", "completedAt": at,
            "assigneeId": "ann",
        }),
        line!("task", "bins", {
            "familyId": "berg", "columnId": "column-berg", "title": "Bins", "dueDate": "2026-11-23T08:00:00Z",
            "recurrence": "DTSTART;TZID=Europe/Oslo:20261116T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO", "lastCompletedAt": at,
            "assigneeId": "bob", "description": "x".repeat(15_000),
        }),
        line!("note", "recipe", {
            "familyId": "berg", "title": "Recipe", "content": "flour ".repeat(2_500), "pinned": true, "tags": ["kitchen"],
            "emoji": "🍰", "color": "#3366cc", "authorId": "ann", "categoryId": "category-berg",
        }),
        line!("event", "swim", {
            "familyId": "berg", "title": "Swimming", "startDate": "2026-11-24T08:30:00Z", "endDate": "2026-11-24T11:00:00Z",
            "location": "Pool", "description": "Goggles, ".repeat(1_500), "recurrence": "FREQ=WEEKLY", "emoji": "🏊",
            "color": "#00ff00", "timeZone": "Europe/Oslo", "assigneeId": "bob", "participantIds": ["ann", "gone"],
        }),
        line!("event", "fair", {
            "familyId": "berg", "title": "Fair", "startDate": "2026-11-23T23:00:00Z", "endDate": "2026-11-25T23:00:00Z",
            "allDay": true, "timeZone": "Europe/Oslo",
        }),
        line!("shoppingList", "presents", {
            "familyId": "berg", "name": "Presents", "isPrivate": true, "ownerUserId": "ann", "sortOrder": 9,
        }),
        line!("shoppingItem", "scarf", {
            "familyId": "berg", "listId": "presents", "name": "Scarf", "quantity": "2 pcs", "category": "wool",
            "isPrivate": true, "addedById": "ann",
        }),
    ]
}

/// Calls of every tool that succeed one after the other.
fn calls() -> Vec<(&'static str, Value)> {
    let event = |title: &str| json!({ "title": title, "start": "2026-11-24T10:15", "participants": ["bob"] });
    vec![
        ("get_overview", json!({})),
        ("list_tasks", json!({ "status": "all" })),
        ("list_tasks", json!({ "status": "all", "limit": 1 })),
        ("get_task", json!({ "id": "cake" })),
        ("get_task", json!({ "id": "paint" })),
        ("get_task", json!({ "id": "bins" })),
        ("list_events", json!({ "person": "bob" })),
        ("list_events", json!({ "limit": 1 })),
        ("get_event", json!({ "id": "swim" })),
        ("get_event", json!({ "id": "swim", "offset": 10_000 })),
        ("get_event", json!({ "id": "swim@20261201T083000Z" })),
        ("get_event", json!({ "id": "fair" })),
        ("find_free_time", json!({ "from": "2026-11-23", "to": "2026-11-26", "minMinutes": 45 })),
        ("list_shopping", json!({ "includeChecked": true })),
        ("search_notes", json!({})),
        ("search_notes", json!({ "limit": 1 })),
        ("get_note", json!({ "id": "note-berg" })),
        ("get_note", json!({ "id": "recipe" })),
        ("get_note", json!({ "id": "recipe", "offset": 10_000 })),
        (
            "add_tasks",
            json!({ "tasks": [{ "title": "Sow", "dueDate": "2026-12-01" }, { "title": "Dig", "column": "Ideas" }] }),
        ),
        ("update_tasks", json!({ "ids": ["cake"], "priority": "LOW", "description": "One layer.", "labels": [] })),
        ("update_tasks", json!({ "ids": ["cake"], "priority": "LOW" })),
        ("update_tasks", json!({ "ids": ["cake"], "labels": ["oven"], "dueDate": "2026-11-25" })),
        (
            "update_tasks",
            json!({ "ids": ["bins", "missing", "task-berg"], "dueDate": "2026-12-04", "assignee": "bob" }),
        ),
        ("update_tasks", json!({ "ids": ["bins"], "description": "Both." })),
        ("complete_tasks", json!({ "ids": ["bins", "cake", "missing"] })),
        ("delete_tasks", json!({ "ids": ["paint"] })),
        ("add_events", json!({ "events": [event("Choir"), event("Judo")] })),
        ("update_events", json!({ "ids": ["event-berg"], "start": "2026-11-24", "assignee": "bob" })),
        ("delete_events", json!({ "ids": ["swim@20261201T083000Z"] })),
        ("delete_events", json!({ "ids": ["fair"] })),
        ("add_containers", json!({ "kind": "board", "names": ["Holiday", "Garden"] })),
        ("add_containers", json!({ "kind": "column", "names": ["Later"], "board": "Holiday" })),
        ("update_container", json!({ "kind": "column", "id": "Later", "name": "Someday", "emoji": "⏳" })),
        ("delete_containers", json!({ "kind": "column", "ids": ["someday", "To do"] })),
        ("add_shopping_items", json!({ "items": [{ "name": "Bread", "quantity": "3" }, { "name": "Bread" }] })),
        ("update_shopping_items", json!({ "ids": ["item-berg"], "quantity": "2 l", "category": "dairy" })),
        ("check_shopping_items", json!({ "ids": ["scarf"] })),
        ("delete_shopping_items", json!({ "ids": ["scarf", "missing"] })),
        ("add_note", json!({ "title": "Plumber", "content": "555 0123" })),
        (
            "update_notes",
            json!({ "ids": ["note-berg"], "title": "Wi-Fi", "tags": ["net"], "category": "category-berg" }),
        ),
        ("delete_notes", json!({ "ids": ["recipe"] })),
        ("restore", json!({ "kind": "note", "ids": ["recipe", "note-berg", "missing"] })),
        ("restore", json!({ "kind": "event", "ids": ["swim@20261201T083000Z"] })),
    ]
}

on_every_storage! {
    async fn text_and_structured_content_have_the_same_facts(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        load(&*storage, records()).await;
        let app = mcp(&App::with_storage(storage));
        let list = result(&app, FULL, V1, "tools/list", json!({})).await;
        let called: BTreeSet<&str> = calls().into_iter().map(|(tool, _)| tool).collect();
        assert_eq!(called, names(&list).into_iter().collect());
        for (tool, arguments) in calls() {
            let (found, text) = succeed(&app, FULL, tool, arguments).await;
            assert_same_facts(tool, &found, &text);
        }
    }
}

#[test]
#[should_panic(expected = "are missing in the content")]
fn a_fact_that_is_only_in_the_text_is_found() {
    assert_same_facts("get_note", &json!({ "id": "n" }), "Note [n] by Ann");
}

#[test]
#[should_panic(expected = "is missing in the text")]
fn a_fact_that_is_only_in_the_content_is_found() {
    assert_same_facts("get_note", &json!({ "id": "n", "author": "Ann" }), "Note [n]");
}

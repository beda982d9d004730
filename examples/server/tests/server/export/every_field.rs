//! Records with every field, exported from each kind of database.

use family_api_core::feed::{FeedDetail, FeedLanguage, FeedShows};
use family_api_core::storage::Record;
use serde_json::{Map, Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::export::{export, lines};
use crate::family;
use crate::sandbox::Sandbox;

on_each_backend! {
    every_field_is_exported_as_it_was_imported,
}

/// Texts that databases and JSON encode differently.
const TEXTS: [&str; 5] =
    ["", "\u{1}\u{1f}\u{7f}\u{2028}\u{feff}\u{fffd}", "\" \\ / \\u0000 'x' $1 ?1", "Київ 👩‍👧 𝕏", "null"];

/// The same, as the names of feeds: without control characters, and not empty.
const FEED_NAMES: [&str; 5] = ["x", "\u{2028}\u{feff}\u{fffd}", TEXTS[2], TEXTS[3], TEXTS[4]];

/// Values of the fields that are not free text, once for each set of records.
fn special_values(set: usize) -> Value {
    let max = (1_i64 << 53) - 1;
    let last = "9999-12-31T23:59:59.999Z";
    let instants = ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2026-11-20T09:00:00.007Z", last, last];
    let at = instants[set];
    let order = [-max, -1, 0, 1, max][set];
    let sequence = [0, 1, 7, 2_147_483_646, 2_147_483_647][set];
    let priority = ["LOW", "MEDIUM", "HIGH", "URGENT", "LOW"][set];
    let is_even = set.is_multiple_of(2);
    json!({
        "order": order, "sortOrder": -order, "sequence": sequence, "createdAt": at, "updatedAt": at,
        "startDate": at, "endDate": last, "dueDate": at, "completedAt": at, "expiresAt": at, "revokedAt": at,
        "lastCompletedAt": at, "priority": priority, "displayCurrency": "UAH", "timeZone": "Asia/Kathmandu",
        "recurrence": "FREQ=WEEKLY;BYDAY=MO\nEXDATE;TZID=\"Europe/Kyiv\":20261123T183000",
        "labels": TEXTS[..set], "tags": TEXTS[..set], "scopes": ["mcp.read", "v1.tasks.write", "of.a.later.version"],
        "isPrivate": is_even, "checked": !is_even, "pinned": is_even, "allDay": !is_even,
        "personalApiEnabled": is_even, "llmKeyConfigured": !is_even,
        "tokenHash": format!("{set}f").repeat(32), "email": format!("{}@{set}.example", "\u{e9}'\"".repeat(9)),
    })
}

/// Values of the fields of one type of record that other types have with other rules.
fn special_values_of(record_type: &str, set: usize) -> Value {
    let last = "9999-12-31T23:59:59.999Z";
    let recurrence_id = if set.is_multiple_of(2) { "2026-12-07T18:30:00" } else { "2026-12-07" };
    match record_type {
        "task" => json!({ "recurrence": "DTSTART;TZID=Asia/Kathmandu:20261130T090000\nRRULE:FREQ=WEEKLY" }),
        "event" => json!({
            "overrides": [{
                "recurrenceId": recurrence_id, "startDate": "2026-12-08T18:30:00.007Z", "endDate": last,
                "title": "Київ 👩‍👧 𝕏", "description": null, "assigneeId": "who-does-not-exist",
                "participantIds": ["who-does-not-exist"],
            }],
            "participantIds": ["who-does-not-exist", "neither"],
        }),
        "calendarFeed" => json!({
            "name": FEED_NAMES[set],
            "shows": FeedShows::ALL[set % 3].as_str(), "detail": FeedDetail::ALL[set % 2].as_str(),
            "language": FeedLanguage::ALL[set % 4].as_str(), "sequence": i32::MAX >> set,
            "personIds": ["who-does-not-exist", "neither"], "boardIds": ["neither"],
            "secretHash": format!("{set}f").repeat(32),
        }),
        _ => json!({}),
    }
}

/// Returns a record of each kind in a family of its own. `is_null` selects `null` for the fields that can be `null`.
fn records(set: usize, is_null: bool) -> Vec<Value> {
    let id = |name: &str| format!("{name}{}{set}", if is_null { "-" } else { "_" });
    let (family, user, board, column, list) = (&id("f"), &id("u"), &id("b"), &id("c"), &id("l"));
    let other_user = id("without_family");
    let mut records = vec![
        family::family(family),
        family::user(user, Some(family), None),
        family::user(&other_user, None, None),
        family::key(&id("k"), user, &"00".repeat(32)),
        family::feed(&id("w"), user, &"00".repeat(32)),
        family::category(&id("z"), family, None),
        family::category(&id("a"), family, Some(&id("z"))),
        family::board(board, family),
        family::column(column, board),
        family::task(&id("t"), column),
        family::event(&id("e"), family),
        family::list(list, family),
        family::item(&id("i"), list),
        family::note(&id("n"), family),
    ];
    for record in &mut records {
        // Adds the fields that are null.
        *record = json!(Record::from_json(record.to_string().as_bytes()).unwrap());
        let is_other = record["id"] == other_user.as_str();
        let fields = record.as_object_mut().unwrap();
        fill(fields, set, is_null);
        if fields.contains_key("familyId") && !is_other {
            fields["familyId"] = json!(family);
        }
        let people = ["assigneeId", "creatorId", "authorId", "addedById"];
        for (name, person) in
            people.map(|name| (name, "who-does-not-exist")).into_iter().chain([("ownerUserId", other_user.as_str())])
        {
            if let Some(value) = fields.get_mut(name) {
                *value = if is_null { Value::Null } else { json!(person) };
            }
        }
        if is_other {
            fields["email"] = json!(format!("{other_user}@family.example"));
        } else if is_null && fields.contains_key("email") {
            fields["email"] = json!(format!("{user}@family.example"));
        }
        for hash in ["tokenHash", "secretHash"] {
            if is_null && fields.contains_key(hash) {
                fields[hash] = json!(format!("{set}e").repeat(32));
            }
        }
        if fields.contains_key("categoryId") && !is_null {
            fields["categoryId"] = json!(id("a"));
        }
    }
    records
}

/// Sets the texts and the special values of a record. Keeps ids.
fn fill(fields: &mut Map<String, Value>, set: usize, is_null: bool) {
    const NULLABLE: [&str; 14] = [
        "description",
        "emoji",
        "color",
        "image",
        "llmModel",
        "dueDate",
        "completedAt",
        "lastCompletedAt",
        "location",
        "recurrence",
        "quantity",
        "category",
        "expiresAt",
        "revokedAt",
    ];
    let special = special_values(set);
    let of_type = special_values_of(fields["type"].as_str().unwrap(), set);
    let is_key = fields["type"] == "key";
    for (name, value) in fields.iter_mut() {
        if is_null && (NULLABLE.contains(&name.as_str()) || (is_key && name == "name")) {
            *value = Value::Null;
        } else if is_null && ["overrides", "participantIds", "personIds", "boardIds"].contains(&name.as_str()) {
            *value = json!([]);
        } else if let Some(special) = of_type.get(name).or_else(|| special.get(name)) {
            *value = special.clone();
        } else if name != "type" && name != "id" && !name.ends_with("Id") {
            *value = json!(TEXTS[set]);
        }
    }
}

fn sorted(mut records: Vec<Value>) -> Vec<Value> {
    records.sort_by_key(Value::to_string);
    records
}

async fn every_field_is_exported_as_it_was_imported(backend: Backend) {
    let records: Vec<Value> =
        (0..TEXTS.len()).flat_map(|set| [true, false].map(|is_null| records(set, is_null))).flatten().collect();
    let sandbox = Sandbox::new(backend).await.import_lines(&records);
    let exported = export(&sandbox, &[]);
    assert_eq!(sorted(lines(&exported)), sorted(records));
    let other = Sandbox::new(if backend == Backend::Sqlite { Backend::Postgres } else { Backend::Sqlite }).await;
    assert!(other.import(&exported).status.success());
    assert!(export(&other, &[]) == exported, "the second export differs");
}

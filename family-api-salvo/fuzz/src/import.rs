//! Lines of the import format (described in the README of the server).

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{LoadError, Password, PasswordHash, Record};
use serde_json::{Value, json};

use crate::app;

/// The family `f` with the user `u`, and a parent for every kind of record.
static PARENTS: LazyLock<Vec<Record>> = LazyLock::new(|| {
    let then = "2026-11-01T08:00:00Z";
    let mut records = app::family("f", "u");
    records.extend(
        [
            json!({ "type": "noteCategory", "id": "k", "familyId": "f", "name": "", "emoji": null, "color": null,
                "parentId": null }),
            json!({ "type": "board", "id": "b", "familyId": "f", "name": "", "description": null, "emoji": null,
                "color": null, "order": 0, "isPrivate": false, "ownerUserId": "u", "createdAt": then,
                "updatedAt": then }),
            json!({ "type": "column", "id": "c", "boardId": "b", "name": "", "emoji": null, "color": null, "order": 0,
                "createdAt": then }),
            json!({ "type": "shoppingList", "id": "l", "familyId": "f", "name": "", "emoji": null, "sortOrder": 0,
                "isPrivate": false, "ownerUserId": "u", "createdAt": then, "updatedAt": then }),
        ]
        .iter()
        .map(app::record),
    );
    records
});

/// The state before the import.
static BEFORE: LazyLock<Vec<Value>> = LazyLock::new(|| visible(&app::load(PARENTS.clone())));

/// A file is loaded completely or not at all. Loaded records are read back unchanged. Error messages contain no
/// secrets.
pub fn import_lines(data: &[u8]) {
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
    let Some(records) = lines.iter().map(|line| record(line)).collect::<Option<Vec<Record>>>() else { return };
    if records.is_empty() {
        return;
    }
    let storage = app::load(PARENTS.clone());
    match app::add(&storage, records.clone()) {
        Ok(()) => {
            let seen = visible(&storage);
            lines.iter().zip(&records).for_each(|(line, record)| is_read(line, record, &seen));
        }
        Err(LoadError::Refused { number, .. }) => {
            assert!((1..=records.len() as u64).contains(&number), "{number}");
            assert_eq!(visible(&storage), *BEFORE);
        }
        Err(error) => panic!("{error}"),
    }
}

fn record(line: &[u8]) -> Option<Record> {
    match Record::from_json(line) {
        Ok(mut record) => {
            assert!(Record::KINDS.contains(&record.kind()));
            if let Record::User(user) = &mut record
                && let Password::Plain(plain) = &user.password
            {
                assert!(!plain.expose().is_empty());
                assert!(!format!("{user:?}").contains("canary-password") || plain.expose() != "canary-password");
                user.password = Password::Hashed(PasswordHash::new("hash".to_owned()));
            }
            Some(record)
        }
        Err(fault) => {
            assert!(!fault.expected.is_empty());
            // Messages may contain field names but no values, because a value may be a misplaced secret.
            assert!(fault.field.contains("canary") || !fault.to_string().contains("canary"), "{fault}");
            None
        }
    }
}

/// Returns everything that `u` can read.
fn visible(storage: &MemoryStorage) -> Vec<Value> {
    let read = app::records(storage, "u", "f");
    read.iter().map(|json| serde_json::from_slice(json).unwrap()).collect()
}

/// A record of the family is read back with every field of its line, unless it is private to another user.
fn is_read(line: &[u8], record: &Record, seen: &[Value]) {
    let line: Value = serde_json::from_slice(line).unwrap();
    let (place, depth, parent) = match record {
        Record::Board(_) => (0, 0, ("familyId", "f")),
        Record::Column(_) => (0, 1, ("boardId", "b")),
        Record::Task(_) => (0, 2, ("columnId", "c")),
        Record::Note(_) => (1, 0, ("familyId", "f")),
        Record::ShoppingList(_) => (2, 0, ("familyId", "f")),
        Record::ShoppingItem(_) => (2, 1, ("listId", "l")),
        Record::Event(_) => (3, 0, ("familyId", "f")),
        Record::Family(_) | Record::User(_) | Record::Key(_) | Record::NoteCategory(_) => return,
    };
    let found = at_depth(&seen[place], depth).into_iter().find(|found| found["id"] == line["id"]);
    let private = line["isPrivate"] == true;
    let owner = ["ownerUserId", "creatorId", "addedById"].into_iter().find_map(|name| line.get(name));
    match found {
        Some(found) => {
            assert!(!private || owner.is_some_and(|owner| owner == "u"), "{line} is not for u");
            assert!(parent.0 != "familyId" || line["familyId"] == "f", "{line} is another family's");
            let members = line.as_object().unwrap().iter();
            members
                .filter_map(|(name, value)| Some((value, found.get(name)?)))
                .for_each(|(said, read)| same(said, read));
        }
        None => assert!(private || line[parent.0] != parent.1, "{line} is not read"),
    }
}

/// Returns the records at this nesting depth of a document.
fn at_depth(document: &Value, depth: usize) -> Vec<&Value> {
    let records = document.as_array().into_iter().flatten();
    if depth == 0 {
        return records.collect();
    }
    let within = |record: &Value| ["columns", "tasks", "items"].into_iter().find(|name| record.get(name).is_some());
    records.filter_map(|record| Some(&record[within(record)?])).flat_map(|inner| at_depth(inner, depth - 1)).collect()
}

fn same(said: &Value, read: &Value) {
    let instant = |value: &Value| value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let same_instant = instant(said).is_some() && instant(said) == instant(read);
    assert!(said == read || same_instant, "{said} is read as {read}");
}

//! Lines of the import format (HTTP reference, "Import format").

use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::storage::{LoadError, Password, PasswordHash, Record};
use family_api_memory::MemoryStorage;
use serde_json::{Value, json};

use crate::app;

/// The family `f` with the user `u`, and a parent for every kind of record.
static PARENTS: LazyLock<Vec<Record>> = LazyLock::new(|| {
    let created_at = "2026-11-01T08:00:00Z";
    let mut records = app::family("f", "u");
    records.extend(
        [
            json!({ "type": "noteCategory", "id": "k", "familyId": "f", "name": "" }),
            json!({
                "type": "board", "id": "b", "familyId": "f", "name": "", "order": 0, "isPrivate": false,
                "ownerUserId": "u", "createdAt": created_at, "updatedAt": created_at,
            }),
            json!({
                "type": "column", "id": "c", "familyId": "f", "boardId": "b", "name": "", "order": 0,
                "createdAt": created_at,
            }),
            json!({
                "type": "shoppingList", "id": "l", "familyId": "f", "name": "", "sortOrder": 0, "isPrivate": false,
                "ownerUserId": "u", "createdAt": created_at, "updatedAt": created_at,
            }),
        ]
        .iter()
        .map(app::record_from_json),
    );
    records
});

/// The data that `u` can read before the import.
static INITIAL_DATA: LazyLock<Vec<Value>> = LazyLock::new(|| visible_data(&app::storage_with(PARENTS.clone())));

/// Checks that a file is loaded completely or not at all, that loaded records are read back unchanged, and that error
/// messages contain no secrets.
pub fn import_lines(data: &[u8]) {
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
    let Some(records) = lines.iter().map(|line| parse_record(line)).collect::<Option<Vec<Record>>>() else { return };
    if records.is_empty() {
        return;
    }
    let storage = app::storage_with(PARENTS.clone());
    match app::load_into(&storage, records.clone()) {
        Ok(()) => {
            let documents = visible_data(&storage);
            lines.iter().zip(&records).for_each(|(line, record)| check_readable(line, record, &documents));
        }
        Err(LoadError::Refused { number, .. }) => {
            assert!((1..=records.len() as u64).contains(&number), "{number}");
            assert_eq!(visible_data(&storage), *INITIAL_DATA);
        }
        Err(error) => panic!("expected success or a refused record, but got {error}"),
    }
}

fn parse_record(line: &[u8]) -> Option<Record> {
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
            // Messages can contain field names but no values, because a value can be a misplaced secret.
            assert!(fault.field.contains("canary") || !fault.to_string().contains("canary"), "{fault}");
            None
        }
    }
}

/// Returns all data that `u` can read.
fn visible_data(storage: &MemoryStorage) -> Vec<Value> {
    let read = app::documents(storage, "u", "f");
    read.iter().map(|json| serde_json::from_slice(json).unwrap()).collect()
}

/// Checks that a record of the family is returned with the values of its line, unless the record is private to another
/// user. Skips records of other families, because they can have the same ids.
fn check_readable(line: &[u8], record: &Record, documents: &[Value]) {
    let line: Value = serde_json::from_slice(line).unwrap();
    if line["familyId"] != "f" {
        return;
    }
    let (document, depth, parent) = match record {
        Record::Board(_) => (0, 0, ("familyId", "f")),
        Record::Column(_) => (0, 1, ("boardId", "b")),
        Record::Task(_) => (0, 2, ("columnId", "c")),
        Record::Note(_) => (1, 0, ("familyId", "f")),
        Record::ShoppingList(_) => (2, 0, ("familyId", "f")),
        Record::ShoppingItem(_) => (2, 1, ("listId", "l")),
        Record::Event(_) => (3, 0, ("familyId", "f")),
        Record::Family(_) | Record::User(_) | Record::Key(_) | Record::CalendarFeed(_) | Record::NoteCategory(_) => {
            return;
        }
    };
    let found = at_depth(&documents[document], depth).into_iter().find(|found| found["id"] == line["id"]);
    let private = line["isPrivate"] == true;
    let owner = ["ownerUserId", "creatorId", "addedById"].into_iter().find_map(|name| line.get(name));
    match found {
        Some(found) => {
            assert!(
                !private || owner.is_some_and(|owner| owner == "u"),
                "{line} is not readable by u, but was returned"
            );
            let members = line.as_object().unwrap().iter();
            members
                .filter_map(|(name, value)| Some((value, found.get(name)?)))
                .for_each(|(written, read)| check_same(written, read));
        }
        None => assert!(private || line[parent.0] != parent.1, "{line} was not returned"),
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

fn check_same(written: &Value, read: &Value) {
    let instant = |value: &Value| value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let same_instant = instant(written).is_some() && instant(written) == instant(read);
    assert!(written == read || same_instant, "{written} is returned as {read}");
}

//! The records of the import format (described in the README of the server).

#[macro_use]
mod declare;
mod event;
mod feed;
mod field;
mod note;
mod people;
mod shopping;
pub mod table;
mod task;
pub mod value;

pub use event::EventRecord;
pub use feed::FeedRecord;
pub use note::{CategoryRecord, NoteRecord};
pub use people::{FamilyRecord, KeyRecord, Password, PlainPassword, UserRecord};
pub use shopping::{ShoppingItemRecord, ShoppingListRecord};
pub use task::{BoardRecord, ColumnRecord, TaskRecord};

use crate::storage::{LoadFault, StorageError};
use crate::validation::Json;

use field::{Fields, read};
use value::StoredFields;

records! {
    /// A family.
    "family" = Family(FamilyRecord),
    /// A user.
    "user" = User(UserRecord),
    /// An integration key.
    "key" = Key(KeyRecord),
    /// A calendar feed.
    "calendarFeed" = CalendarFeed(FeedRecord),
    /// A category of notes.
    "noteCategory" = NoteCategory(CategoryRecord),
    /// A board of tasks.
    "board" = Board(BoardRecord),
    /// A column of a board.
    "column" = Column(ColumnRecord),
    /// A task.
    "task" = Task(TaskRecord),
    /// A calendar event.
    "event" = Event(EventRecord),
    /// A shopping list.
    "shoppingList" = ShoppingList(ShoppingListRecord),
    /// An item of a shopping list.
    "shoppingItem" = ShoppingItem(ShoppingItemRecord),
    /// A note.
    "note" = Note(NoteRecord),
}

impl Record {
    /// Returns the record as it is stored: an e-mail address in lower case (the letters A to Z), so that two users cannot
    /// differ only in capitals.
    ///
    /// # Errors
    /// [`StorageError::Backend`] if the password is not hashed.
    pub fn into_stored(mut self) -> Result<Self, StorageError> {
        if let Self::User(user) = &mut self {
            user.password.hash()?;
            user.email.make_ascii_lowercase();
        }
        Ok(self)
    }

    /// Reads a line of the import format. Rejects unknown and duplicate fields, and missing fields that cannot be
    /// `null`. A missing field that can be is `null`, except for the end of a key or a feed.
    ///
    /// # Errors
    /// [`LoadFault`] for the first fault.
    pub fn from_json(line: &[u8]) -> Result<Self, LoadFault> {
        Self::fast_path(line).map_or_else(|| Self::full_parse(line), Ok)
    }

    /// Parses a line with serde alone. Returns `None` if only the full parse can tell whether the line is valid.
    fn fast_path(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let mut input = serde_json::Deserializer::from_str(line);
        let record = Line::deserialize(&mut input).ok()?;
        (input.end().is_ok() && !record.has_objects() && !line.contains(r"\u0000") && record.check().is_ok())
            .then_some(record)
    }

    /// Parses a line and finds its first fault. Takes several times as long as the fast path.
    fn full_parse(line: &[u8]) -> Result<Self, LoadFault> {
        let not_an_object = || LoadFault::new("", "expected a JSON object");
        let fields = match Json::parse(line) {
            Ok(Json::Object(fields)) => fields,
            Err(detail) => return Err(LoadFault::new("", &format!("expected JSON: {detail}"))),
            Ok(_) => return Err(not_an_object()),
        };
        if let Some((name, _)) = fields.iter().find(|(_, value)| contains_nul(value)) {
            return Err(LoadFault::new(name, "must not contain U+0000"));
        }
        let mut fields: Fields = serde_json::from_slice(line).map_err(|_| not_an_object())?;
        let kind = fields.remove("type").ok_or_else(|| LoadFault::new("type", "is required"))?;
        let record = Self::from_fields(kind.as_str().unwrap_or_default(), fields)?;
        record.check()?;
        Ok(record)
    }

    /// Returns whether a field contains objects, in which serde alone does not find a member that occurs twice.
    fn has_objects(&self) -> bool {
        matches!(self, Self::Event(event) if !event.overrides.is_empty())
    }

    /// Checks the fields that depend on each other.
    fn check(&self) -> Result<(), LoadFault> {
        match self {
            Self::Event(event) => event.check(),
            _ => Ok(()),
        }
    }
}

fn contains_nul(value: &Json) -> bool {
    match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(elements) => elements.iter().any(contains_nul),
        Json::Object(members) => members.iter().any(|(_, value)| contains_nul(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use family_api_testing::{required_fields, with};
    use serde_json::{Value, json};

    use super::*;

    /// Returns a line without the fields that can be `null`.
    fn short_line(kind: &str) -> Value {
        let parents = match kind {
            "family" | "user" => json!({}),
            "key" => json!({ "userId": "u", "tokenHash": "11".repeat(32) }),
            "calendarFeed" => json!({ "userId": "u", "secretHash": "11".repeat(32) }),
            "column" => json!({ "familyId": "f", "boardId": "b" }),
            "task" => json!({ "familyId": "f", "columnId": "c" }),
            "shoppingItem" => json!({ "familyId": "f", "listId": "l" }),
            _ => json!({ "familyId": "f" }),
        };
        with(required_fields(kind, "x"), parents)
    }

    fn parse(line: &Value) -> Result<Record, LoadFault> {
        Record::from_json(line.to_string().as_bytes())
    }

    #[test]
    fn invalid_json_is_refused() {
        let family = short_line("family").to_string();
        assert!(matches!(Record::fast_path(family.as_bytes()), Some(Record::Family(_))));
        assert_eq!(Record::fast_path(family.as_bytes()), Record::full_parse(family.as_bytes()).ok());
        for (line, expected) in [
            ("", ""),
            ("[]", ""),
            ("{}", "type"),
            (r#"{"type":7}"#, "type"),
            (r#"{"type":"fam"}"#, "type"),
            (&family.replace('{', r#"{"id":"x","#), ""),
            (&family.replace('{', r#"{"colour":null,"#), "colour"),
            (&family.replace(r#""name":"x""#, r#""name":7"#), "name"),
            (&family.replace(r#""name":"x""#, r#""name":"\u0000""#), "name"),
            (&family.replace(r#""id":"x""#, r#""id":"x x""#), "id"),
        ] {
            assert_eq!(Record::from_json(line.as_bytes()).unwrap_err().field, expected, "{line}");
            assert_eq!(Record::fast_path(line.as_bytes()), None, "{line}");
        }
    }

    /// The fields that can be `null` but must be present. Without them, a key or a feed would be valid for ever.
    const ENDS: [&str; 2] = ["expiresAt", "revokedAt"];

    /// The fields that are an empty list or 0 if they are absent.
    const EMPTY_BY_DEFAULT: [&str; 5] = ["boardIds", "overrides", "participantIds", "personIds", "sequence"];

    #[test]
    fn a_missing_field_is_null_or_a_fault() {
        for kind in Record::KINDS {
            let record = parse(&short_line(kind)).unwrap();
            for (name, value) in json!(record).as_object().unwrap() {
                let mut line = json!(record);
                line.as_object_mut().unwrap().remove(name);
                let is_empty = value.is_null() || EMPTY_BY_DEFAULT.contains(&name.as_str());
                let is_required = !is_empty || ENDS.contains(&name.as_str());
                let expected = if is_required { Err(LoadFault::new(name, "is required")) } else { Ok(record.clone()) };
                assert_eq!(parse(&line), expected, "{name} of {kind}");
                assert_eq!(parse(&line).ok(), Record::fast_path(line.to_string().as_bytes()));
            }
        }
    }

    #[test]
    fn a_fault_never_quotes_the_value() {
        let user = short_line("user");
        for (name, bad) in [
            ("llmKeyConfigured", json!("canary")),
            ("password", json!(["canary"])),
            ("password", json!("")),
            ("displayCurrency", json!("canary")),
            ("email", json!("canary".repeat(60))),
            ("timeZone", json!("canary")),
            ("id", json!("canary!")),
            ("image", json!({ "canary": 1 })),
        ] {
            let line = with(user.clone(), json!({ name: bad }));
            let fault = parse(&line).unwrap_err();
            assert_eq!((fault.field.as_str(), Record::fast_path(line.to_string().as_bytes())), (name, None));
            assert!(fault.expected.starts_with("expected "), "{fault}");
            assert!(!fault.to_string().contains("canary"), "{fault}");
        }
    }

    #[test]
    fn a_recurrence_that_cannot_be_expanded_is_refused() {
        let event = |rule: &str| parse(&with(short_line("event"), json!({ "recurrence": rule })));
        assert!(event("FREQ=WEEKLY").is_ok());
        let fault = event("FREQ=WEEKLY;BYDAY=canary").unwrap_err();
        assert_eq!((fault.field.as_str(), fault.to_string().contains("canary")), ("recurrence", false));
        assert!(fault.expected.starts_with("expected BYDAY to have days"), "{fault}");
        let fault = event("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").unwrap_err();
        assert_eq!(fault.to_string(), "field `recurrence`: expected a rule that matches at least one day");
    }

    #[test]
    fn a_task_recurs_from_a_local_start_in_a_zone() {
        let task = |rule: &str| parse(&with(short_line("task"), json!({ "recurrence": rule })));
        assert!(task("DTSTART;TZID=Europe/Kyiv:20261207T090000\nRRULE:FREQ=WEEKLY\nEXDATE:20261214T090000").is_ok());
        for bad in [
            "FREQ=WEEKLY",
            "DTSTART:20261207T090000\nRRULE:FREQ=WEEKLY",
            "DTSTART;TZID=Europe/Nowhere:20261207T090000\nRRULE:FREQ=WEEKLY",
            "DTSTART;TZID=Europe/Kyiv:20261207\nRRULE:FREQ=WEEKLY",
            "DTSTART;TZID=Europe/Kyiv:20261207T090000\nRRULE:FREQ=CANARY",
        ] {
            let fault = task(bad).unwrap_err();
            assert_eq!(fault.field, "recurrence", "{bad}");
            assert!(fault.expected.starts_with("expected "), "{fault}");
        }
    }

    #[test]
    fn invalid_changed_occurrences_and_participants_are_refused() {
        let series = with(short_line("event"), json!({ "recurrence": "FREQ=DAILY", "timeZone": "Europe/Kyiv" }));
        let moved = json!({ "recurrenceId": "2026-12-08T18:30:00", "startDate": "2026-12-08T18:00:00+01:00",
            "endDate": "2026-12-08T18:00:00Z", "title": "\u{1f3b9}" });
        let line = with(series.clone(), json!({ "overrides": [moved.clone()], "participantIds": ["a", "b"] }));
        let record = parse(&line).unwrap();
        assert_eq!(Record::from_json(json!(record).to_string().as_bytes()), Ok(record));
        let thirty_one: Vec<_> = (0..31).map(|number| format!("u{number}")).collect();
        for (field, changes) in [
            ("overrides", json!({ "overrides": null })),
            ("overrides", json!({ "overrides": [moved.clone(), moved.clone()] })),
            ("overrides", json!({ "overrides": [with(moved.clone(), json!({ "canary": 1 }))] })),
            ("overrides", json!({ "overrides": [with(moved.clone(), json!({ "title": "\0" }))] })),
            ("overrides", json!({ "overrides": [with(moved.clone(), json!({ "title": null }))] })),
            ("overrides", json!({ "overrides": [with(moved.clone(), json!({ "endDate": "2026-12-08T16:59:59Z" }))] })),
            ("overrides", json!({ "overrides": [moved.clone()], "allDay": true })),
            ("overrides", json!({ "overrides": [moved.clone()], "recurrence": null })),
            ("participantIds", json!({ "participantIds": thirty_one })),
            ("participantIds", json!({ "participantIds": null })),
            ("timeZone", json!({ "timeZone": "Europe/Canary" })),
        ] {
            let fault = parse(&with(series.clone(), changes.clone())).unwrap_err();
            let name = fault.field.split(['.', '[']).next().unwrap();
            assert_eq!((name, fault.to_string().contains("canary")), (field, false), "{changes} {fault}");
        }
        let twice = line.to_string().replace(r#""endDate":"2026-12-08T18:00:00Z""#, r#""title":"x","title":"y""#);
        assert_eq!(Record::from_json(twice.as_bytes()).unwrap_err().field, "");
    }

    #[test]
    fn an_event_that_ends_before_it_starts_is_refused() {
        let event =
            |start: &str, end: &str| parse(&with(short_line("event"), json!({ "startDate": start, "endDate": end })));
        assert!(event("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z").is_ok());
        let fault = event("2026-11-20T00:00:00Z", "2026-11-19T23:59:59.999Z").unwrap_err();
        assert_eq!(fault.to_string(), "field `endDate`: expected an instant that is not before startDate");
    }

    #[test]
    fn a_sequence_is_a_whole_number_of_at_most_31_bits() {
        for kind in ["event", "task"] {
            let of = |sequence: Value| parse(&with(short_line(kind), json!({ "sequence": sequence })));
            for sequence in [0, 7, 2_147_483_647] {
                assert_eq!(json!(of(json!(sequence)).unwrap())["sequence"], sequence, "{kind}");
            }
            let expected = LoadFault::new("sequence", "expected a whole number of at most 31 bits");
            for sequence in [json!(2_147_483_648_i64), json!(-1), json!(i64::MAX)] {
                assert_eq!(of(sequence), Err(expected.clone()), "{kind}");
            }
            for sequence in [json!(null), json!("1"), json!(1.5), json!(u64::MAX)] {
                assert_eq!(of(sequence).unwrap_err().field, "sequence", "{kind}");
            }
        }
    }

    #[test]
    fn an_order_is_an_integer_of_at_most_53_bits() {
        for (kind, name) in [("column", "order"), ("shoppingList", "sortOrder")] {
            let fault = |order: Value| parse(&with(short_line(kind), json!({ name: order }))).err();
            for order in [9_007_199_254_740_991_i64, -9_007_199_254_740_991] {
                assert_eq!(fault(json!(order)), None, "{name} {order}");
            }
            for order in [9_007_199_254_740_992, -9_007_199_254_740_992, i64::MAX, i64::MIN] {
                assert_eq!(fault(json!(order)), Some(LoadFault::new(name, "expected an integer of at most 53 bits")));
            }
            assert_eq!(fault(json!(0.5)).unwrap().field, name);
        }
    }
}

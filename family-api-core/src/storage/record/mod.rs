//! The records of the import format (described in the README of the server).

#[macro_use]
mod declare;
mod event;
mod field;
mod note;
mod people;
mod shopping;
pub mod table;
mod task;
pub mod value;

pub use event::EventRecord;
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

    /// Reads a line of the import format. Rejects missing, unknown and duplicate fields.
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
        (input.end().is_ok() && !line.contains(r"\u0000") && record.check().is_ok()).then_some(record)
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

    /// Checks the fields that depend on each other.
    fn check(&self) -> Result<(), LoadFault> {
        match self {
            Self::Event(event) => event.check_dates(),
            _ => Ok(()),
        }
    }
}

fn contains_nul(value: &Json) -> bool {
    match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(elements) => elements.iter().any(contains_nul),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = r#""id":"f","name":"F","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z""#;

    fn faulty_field(line: &str) -> String {
        Record::from_json(line.as_bytes()).unwrap_err().field
    }

    #[test]
    fn missing_unknown_and_duplicate_fields_are_refused() {
        let line = format!(r#"{{"type":"family",{FAMILY}}}"#);
        assert!(matches!(Record::fast_path(line.as_bytes()), Some(Record::Family(_))));
        assert_eq!(Record::fast_path(line.as_bytes()), Record::full_parse(line.as_bytes()).ok());
        for (line, expected) in [
            ("", ""),
            ("[]", ""),
            ("{}", "type"),
            (r#"{"type":7}"#, "type"),
            (r#"{"type":"fam"}"#, "type"),
            (&format!(r#"{{"type":"family",{FAMILY},"id":"f"}}"#), ""),
            (&format!(r#"{{"type":"family",{FAMILY},"colour":null}}"#), "colour"),
            (&format!(r#"{{"type":"family",{FAMILY}}}"#).replace(r#""name":"F","#, ""), "name"),
            (&format!(r#"{{"type":"family",{FAMILY}}}"#).replace(r#""F""#, "7"), "name"),
            (&format!(r#"{{"type":"family",{FAMILY}}}"#).replace(r#""F""#, r#""\u0000""#), "name"),
            (&format!(r#"{{"type":"family",{FAMILY}}}"#).replace(r#""f""#, r#""f f""#), "id"),
        ] {
            assert_eq!(faulty_field(line), expected, "{line}");
            assert_eq!(Record::fast_path(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_fault_never_quotes_the_value() {
        let user = r#"{"type":"user","id":"u","familyId":null,"name":"U","email":"u","image":null,"color":null,"emoji":null,"displayCurrency":"EUR","timeZone":"UTC","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false,"password":"p","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#;
        assert!(matches!(Record::fast_path(user.as_bytes()), Some(Record::User(_))));
        for (part, bad, name) in [
            (r#""llmKeyConfigured":false"#, r#""llmKeyConfigured":"canary""#, "llmKeyConfigured"),
            (r#""password":"p""#, r#""password":["canary"]"#, "password"),
            (r#""password":"p""#, r#""password":"""#, "password"),
            (r#""EUR""#, r#""canary""#, "displayCurrency"),
            (r#""email":"u""#, &format!(r#""email":"{}""#, "canary".repeat(60)), "email"),
            (r#""UTC""#, r#""canary""#, "timeZone"),
            (r#""id":"u""#, r#""id":"canary!""#, "id"),
            (r#""image":null"#, r#""image":{"canary":1}"#, "image"),
        ] {
            let fault = Record::from_json(user.replace(part, bad).as_bytes()).unwrap_err();
            assert_eq!((fault.field.as_str(), Record::fast_path(user.replace(part, bad).as_bytes())), (name, None));
            assert!(fault.expected.starts_with("expected "), "{fault}");
            assert!(!fault.to_string().contains("canary"), "{fault}");
        }
    }

    #[test]
    fn a_nullable_field_is_required() {
        let column = r#"{"type":"column","id":"c","familyId":"f","boardId":"b","name":"C","emoji":null,"color":null,"order":0,"createdAt":"2026-11-20T00:00:00Z"}"#;
        assert!(Record::from_json(column.as_bytes()).is_ok());
        assert_eq!(faulty_field(&column.replace(r#""emoji":null,"#, "")), "emoji");
        assert_eq!(faulty_field(&column.replace(r#""order":0"#, r#""order":0.5"#)), "order");
    }

    #[test]
    fn a_recurrence_that_cannot_be_expanded_is_refused() {
        let event = r#"{"type":"event","id":"e","familyId":"f","title":"E","description":null,"emoji":null,"color":null,"startDate":"2026-11-20T00:00:00Z","endDate":"2026-11-20T00:00:00Z","allDay":true,"location":null,"recurrence":null,"assigneeId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#;
        let with = |rule: &str| Record::from_json(event.replace(r#""recurrence":null"#, rule).as_bytes());
        assert!(with(r#""recurrence":null"#).is_ok());
        assert!(with(r#""recurrence":"FREQ=WEEKLY""#).is_ok());
        let fault = with(r#""recurrence":"FREQ=WEEKLY;BYDAY=canary""#).unwrap_err();
        assert_eq!((fault.field.as_str(), fault.to_string().contains("canary")), ("recurrence", false));
        assert!(fault.expected.starts_with("expected BYDAY to have days"), "{fault}");
        let fault = with(r#""recurrence":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30""#).unwrap_err();
        assert_eq!(fault.to_string(), "field `recurrence`: expected a rule that matches at least one day");
    }

    #[test]
    fn an_event_that_ends_before_it_starts_is_refused() {
        let event = r#"{"type":"event","id":"e","familyId":"f","title":"E","description":null,"emoji":null,"color":null,"startDate":"2026-11-20T00:00:00Z","endDate":"2026-11-20T00:00:00Z","allDay":true,"location":null,"recurrence":null,"assigneeId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#;
        assert!(Record::from_json(event.as_bytes()).is_ok());
        let reversed = event.replace(r#""endDate":"2026-11-20T00:00:00Z""#, r#""endDate":"2026-11-19T23:59:59.999Z""#);
        let fault = Record::from_json(reversed.as_bytes()).unwrap_err();
        assert_eq!(fault.to_string(), "field `endDate`: expected an instant that is not before startDate");
    }

    #[test]
    fn an_order_is_an_integer_of_at_most_53_bits() {
        let column = r#"{"type":"column","id":"c","familyId":"f","boardId":"b","name":"C","emoji":null,"color":null,"order":0,"createdAt":"2026-11-20T00:00:00Z"}"#;
        let list = r#"{"type":"shoppingList","id":"l","familyId":"f","name":"L","emoji":null,"sortOrder":0,"isPrivate":false,"ownerUserId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#;
        for (line, name) in [(column, "order"), (list, "sortOrder")] {
            let with_order = |order: &str| line.replace(&format!("\"{name}\":0"), &format!("\"{name}\":{order}"));
            for order in ["9007199254740991", "-9007199254740991"] {
                assert!(Record::from_json(with_order(order).as_bytes()).is_ok(), "{name} {order}");
            }
            for order in ["9007199254740992", "-9007199254740992", "9223372036854775807", "-9223372036854775808"] {
                let fault = Record::from_json(with_order(order).as_bytes()).unwrap_err();
                assert_eq!(fault.to_string(), format!("field `{name}`: expected an integer of at most 53 bits"));
            }
        }
    }
}

//! The records of the import format (contract, section 9).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::Timestamp;
use crate::calendar::Zone;
use crate::change::Json;
use crate::id::{BoardId, CategoryId, ColumnId, EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId};
use crate::key::{KeyDigest, ScopeSet};
use crate::resource::Priority;
use crate::storage::{LoadFault, PasswordHash};

/// A line of the import format.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each kind is explained by its record")]
pub enum Record {
    Family(FamilyRecord),
    User(UserRecord),
    Key(KeyRecord),
    NoteCategory(CategoryRecord),
    Board(BoardRecord),
    Column(ColumnRecord),
    Task(TaskRecord),
    Event(EventRecord),
    ShoppingList(ShoppingListRecord),
    ShoppingItem(ShoppingItemRecord),
    Note(NoteRecord),
}

impl Record {
    /// The kinds, as `type` names them, in the order of the contract.
    pub const KINDS: [&'static str; 11] = [
        "family",
        "user",
        "key",
        "noteCategory",
        "board",
        "column",
        "task",
        "event",
        "shoppingList",
        "shoppingItem",
        "note",
    ];

    /// The kind, as `type` names it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Family(_) => "family",
            Self::User(_) => "user",
            Self::Key(_) => "key",
            Self::NoteCategory(_) => "noteCategory",
            Self::Board(_) => "board",
            Self::Column(_) => "column",
            Self::Task(_) => "task",
            Self::Event(_) => "event",
            Self::ShoppingList(_) => "shoppingList",
            Self::ShoppingItem(_) => "shoppingItem",
            Self::Note(_) => "note",
        }
    }

    /// Reads a line of the import format, strictly: every field is there, none is unknown, none is given twice.
    ///
    /// # Errors
    /// [`LoadFault`] for the first fault.
    pub fn from_json(line: &[u8]) -> Result<Self, LoadFault> {
        let not_an_object = || LoadFault::new("", "expected a JSON object");
        let checked = Json::parse(line).map_err(|error| LoadFault::new("", &error.to_string()))?;
        let Json::Object(members) = checked else { return Err(not_an_object()) };
        if let Some((name, _)) = members.iter().find(|(_, value)| holds_nul(value)) {
            return Err(LoadFault::new(name, "must not hold U+0000"));
        }
        let mut members: Members = serde_json::from_slice(line).map_err(|_| not_an_object())?;
        let kind = members.remove("type").ok_or_else(|| LoadFault::new("type", "is required"))?;
        Self::from_members(kind.as_str().unwrap_or_default(), members)
    }

    fn from_members(kind: &str, members: Members) -> Result<Self, LoadFault> {
        match kind {
            "family" => read(members).map(Self::Family),
            "user" => read(members).map(Self::User),
            "key" => read(members).map(Self::Key),
            "noteCategory" => read(members).map(Self::NoteCategory),
            "board" => read(members).map(Self::Board),
            "column" => read(members).map(Self::Column),
            "task" => read(members).map(Self::Task),
            "event" => read(members).map(Self::Event),
            "shoppingList" => read(members).map(Self::ShoppingList),
            "shoppingItem" => read(members).map(Self::ShoppingItem),
            "note" => read(members).map(Self::Note),
            _ => Err(LoadFault::new("type", &format!("expected one of {}", Self::KINDS.join(", ")))),
        }
    }
}

type Members = serde_json::Map<String, serde_json::Value>;

fn read<T: DeserializeOwned>(members: Members) -> Result<T, LoadFault> {
    serde_path_to_error::deserialize(serde_json::Value::Object(members)).map_err(|error| misfit(&error))
}

fn holds_nul(value: &Json) -> bool {
    match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(elements) => elements.iter().any(holds_nul),
        _ => false,
    }
}

/// The fault that serde found; a field that is missing or unknown is named by its message, any other by its path.
fn misfit(error: &serde_path_to_error::Error<serde_json::Error>) -> LoadFault {
    let expected = error.inner().to_string();
    let of_the_record = expected.starts_with("missing field") || expected.starts_with("unknown field");
    match expected.split('`').nth(1) {
        Some(field) if of_the_record => LoadFault::new(field, &expected),
        _ => LoadFault::new(&error.path().to_string(), &expected),
    }
}

/// An `Option` that must be there, `null` or not.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(input)
}

/// A family.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct FamilyRecord {
    pub id: FamilyId,
    pub name: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A user, with or without a family.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct UserRecord {
    pub id: UserId,
    #[serde(deserialize_with = "nullable")]
    pub family_id: Option<FamilyId>,
    pub name: String,
    pub email: String,
    #[serde(deserialize_with = "nullable")]
    pub image: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    pub display_currency: String,
    pub time_zone: Zone,
    pub personal_api_enabled: bool,
    #[serde(deserialize_with = "nullable")]
    pub llm_model: Option<String>,
    pub llm_key_configured: bool,
    /// The plaintext of the file; a storage keeps [`password_hash`](Self::password_hash) only.
    #[serde(default, deserialize_with = "password")]
    pub password: Option<PlainPassword>,
    /// The hash of the password, made between reading the line and storing it.
    #[serde(skip)]
    pub password_hash: Option<PasswordHash>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A password on its way to its hash: redacted in `Debug`, zeroed on drop.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainPassword(String);

/// Reads a password; what is none is not quoted in the error, as serde would.
fn password<'de, D: Deserializer<'de>>(input: D) -> Result<Option<PlainPassword>, D::Error> {
    match serde_json::Value::deserialize(input)? {
        serde_json::Value::Null => Ok(None),
        serde_json::Value::String(password) => Ok(Some(PlainPassword(password))),
        _ => Err(serde::de::Error::custom("expected a string or null")),
    }
}

impl PlainPassword {
    /// The password itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Drop for PlainPassword {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

impl std::fmt::Debug for PlainPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlainPassword([redacted])")
    }
}

/// An integration key, known by its digest.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct KeyRecord {
    pub id: KeyId,
    pub user_id: UserId,
    #[serde(deserialize_with = "nullable")]
    pub name: Option<String>,
    pub hint: String,
    #[serde(deserialize_with = "digest")]
    pub token_hash: KeyDigest,
    pub scopes: ScopeSet,
    pub created_at: Timestamp,
    #[serde(deserialize_with = "nullable")]
    pub expires_at: Option<Timestamp>,
    #[serde(deserialize_with = "nullable")]
    pub revoked_at: Option<Timestamp>,
}

fn digest<'de, D: Deserializer<'de>>(input: D) -> Result<KeyDigest, D::Error> {
    let text = String::deserialize(input)?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes)
        .map_err(|_| serde::de::Error::custom("expected a SHA-256 in hexadecimal"))?;
    Ok(KeyDigest::from_bytes(bytes))
}

/// A category of notes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct CategoryRecord {
    pub id: CategoryId,
    pub family_id: FamilyId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub parent_id: Option<CategoryId>,
}

/// A board of tasks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct BoardRecord {
    pub id: BoardId,
    pub family_id: FamilyId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "order")]
    pub order: i64,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub owner_user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct ColumnRecord {
    pub id: ColumnId,
    pub board_id: BoardId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "order")]
    pub order: i64,
    pub created_at: Timestamp,
}

/// A task in a column; `completedAt` says whether it is done.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct TaskRecord {
    pub id: TaskId,
    pub column_id: ColumnId,
    pub title: String,
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    pub priority: Priority,
    #[serde(deserialize_with = "nullable")]
    pub due_date: Option<Timestamp>,
    #[serde(deserialize_with = "nullable")]
    pub completed_at: Option<Timestamp>,
    #[serde(deserialize_with = "order")]
    pub order: i64,
    pub labels: Vec<String>,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub assignee_id: Option<UserId>,
    #[serde(deserialize_with = "nullable")]
    pub creator_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A calendar event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct EventRecord {
    pub id: EventId,
    pub family_id: FamilyId,
    pub title: String,
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    pub start_date: Timestamp,
    pub end_date: Timestamp,
    pub all_day: bool,
    #[serde(deserialize_with = "nullable")]
    pub location: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub recurrence: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub assignee_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A shopping list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct ShoppingListRecord {
    pub id: ListId,
    pub family_id: FamilyId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "order")]
    pub sort_order: i64,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub owner_user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An item of a shopping list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct ShoppingItemRecord {
    pub id: ItemId,
    pub list_id: ListId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub quantity: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub category: Option<String>,
    pub checked: bool,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub added_by_id: Option<UserId>,
    pub created_at: Timestamp,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct NoteRecord {
    pub id: NoteId,
    pub family_id: FamilyId,
    pub title: String,
    pub content: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    pub pinned: bool,
    pub tags: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub author_id: Option<UserId>,
    #[serde(deserialize_with = "nullable")]
    pub category_id: Option<CategoryId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A place among others: any integer that a JSON number holds exactly.
fn order<'de, D: Deserializer<'de>>(input: D) -> Result<i64, D::Error> {
    const LIMIT: i64 = 1 << 53;
    let order = i64::deserialize(input)?;
    if order.abs() < LIMIT {
        Ok(order)
    } else {
        Err(serde::de::Error::custom("expected an integer of at most 53 bits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = r#""id":"f","name":"F","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z""#;

    fn field(line: &str) -> String {
        Record::from_json(line.as_bytes()).unwrap_err().field
    }

    #[test]
    fn a_line_says_every_field_once_and_no_other() {
        let line = format!(r#"{{"type":"family",{FAMILY}}}"#);
        assert!(matches!(Record::from_json(line.as_bytes()), Ok(Record::Family(_))));
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
            assert_eq!(field(line), expected, "{line}");
        }
    }

    #[test]
    fn a_nullable_field_may_be_null_but_not_left_out() {
        let column = r#"{"type":"column","id":"c","boardId":"b","name":"C","emoji":null,"color":null,"order":0,"createdAt":"2026-11-20T00:00:00Z"}"#;
        assert!(Record::from_json(column.as_bytes()).is_ok());
        assert_eq!(field(&column.replace(r#""emoji":null,"#, "")), "emoji");
        assert_eq!(field(&column.replace(r#""order":0"#, r#""order":0.5"#)), "order");
        assert_eq!(field(&column.replace(r#""order":0"#, r#""order":9007199254740992"#)), "order");
    }
}

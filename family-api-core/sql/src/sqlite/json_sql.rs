//! SQL that builds JSON: the same text that serde writes for a resource.
//!
//! The SQL function `concat` builds the text, in half the time of `json_object`. `json_quote` encodes strings, numbers
//! and `NULL`. Booleans are stored as numbers. A list is stored as JSON and copied.

use family_api_core::resource::{Event, Note, NoteCategory, Person, ShoppingItem, Task};
use family_api_core::storage::table::field_name;
use family_api_core::storage::value::{StoredFields, Type};

use crate::visible::is_member;

/// Returns the statement of a document: an array with an item for each row, and the revision of the family `?1`. `?2`
/// is the user. Both columns are read from the same snapshot.
pub(super) fn document_sql(item: &str, rows: &str) -> String {
    format!(
        "{people} SELECT iif({is_member}, concat({array}), '[]'), (SELECT revision FROM families WHERE id = ?1)",
        people = people(),
        is_member = is_member!("?2" of "?1"),
        array = array(item, rows),
    )
}

/// The SQL of a JSON object: the name of each member, and the SQL of its value.
pub(super) struct Object(Vec<(String, String)>);

impl Object {
    /// Creates an object with a member for each column of a resource. `table` is the alias of its table.
    pub(super) fn of<T: StoredFields>(table: &str) -> Self {
        let members = T::COLUMNS.iter().map(|column| {
            let sql = format!(r#"{table}."{}""#, column.name);
            let value = match column.value {
                Type::Boolean => boolean(&sql),
                Type::Texts => raw(&sql),
                _ => format!("json_quote({sql})"),
            };
            (field_name(column.name), value)
        });
        Self(members.collect())
    }

    /// Inserts a member before the member `next`.
    fn insert_before(mut self, next: &str, name: &str, value: String) -> Self {
        let position = self.position(next);
        self.0.insert(position, (name.to_owned(), value));
        self
    }

    /// Inserts the joined record `name` after its id.
    fn insert_joined(mut self, name: &str, value: &str) -> Self {
        let after_id = self.position(&format!("{name}Id")) + 1;
        self.0.insert(after_id.min(self.0.len()), (name.to_owned(), raw(value)));
        self
    }

    /// Returns the position of a member, or the end if there is none.
    fn position(&self, name: &str) -> usize {
        self.0.iter().position(|(other, _)| other == name).unwrap_or(self.0.len())
    }

    /// Adds a member at the end. Its value can be an [`array`].
    pub(super) fn push(mut self, name: &str, value: String) -> Self {
        self.0.push((name.to_owned(), value));
        self
    }

    pub(super) fn sql(&self) -> String {
        let members = self.0.iter().map(|(name, value)| format!("\"{name}\":', {value}"));
        format!("concat('{{{}, '}}')", members.collect::<Vec<_>>().join(", ',"))
    }

    /// Returns the SQL of the object, or of `NULL` if the outer join has found no row of `table`.
    fn joined<T: StoredFields>(table: &str) -> String {
        format!("CASE WHEN {table}.id IS NOT NULL THEN {} END", Self::of::<T>(table).sql())
    }
}

/// A JSON array with an item for each row. `group_concat` keeps the order of the rows of a subquery. The result is a
/// list of arguments for `concat`, so that the array's text is not copied twice.
pub(super) fn array(item: &str, rows: &str) -> String {
    format!("'[', (SELECT group_concat({item}, ',') FROM {rows}), ']'")
}

/// `true` or `false`, from the number that SQLite stores.
fn boolean(sql: &str) -> String {
    format!("iif({sql}, 'true', 'false')")
}

/// A value that is stored as JSON, or `null` for `NULL`.
fn raw(sql: &str) -> String {
    format!("coalesce({sql}, 'null')")
}

/// A common table expression `people` with the members of the family `?1`. It builds the JSON of each [`Person`] once,
/// even if many records refer to the same person.
fn people() -> String {
    let person = Object::joined::<Person>("u");
    format!("WITH people AS MATERIALIZED (SELECT u.id, {person} AS person FROM users u WHERE u.family_id = ?1)")
}

/// A [`Task`] from `tasks t` joined with `people assignee` and `people creator`.
pub(super) fn task() -> Object {
    Object::of::<Task>("t")
        .insert_before("completedAt", "completed", boolean("t.completed_at IS NOT NULL"))
        .insert_joined("assignee", "assignee.person")
        .insert_joined("creator", "creator.person")
}

/// An [`Event`] from events `e`, which have the column `assignee` with the JSON of a [`Person`].
pub(super) fn event() -> Object {
    Object::of::<Event>("e").insert_joined("assignee", "e.assignee")
}

/// A [`ShoppingItem`] from items `i`, which have the column `added_by` with the JSON of a [`Person`].
pub(super) fn item() -> Object {
    Object::of::<ShoppingItem>("i").insert_joined("addedBy", "i.added_by")
}

/// A [`Note`] from `notes n` joined with `people author` and `note_categories category`.
pub(super) fn note() -> Object {
    Object::of::<Note>("n")
        .insert_joined("author", "author.person")
        .insert_joined("category", &Object::joined::<NoteCategory>("category"))
}

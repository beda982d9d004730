//! SQL that builds JSON: the same text that serde writes for a resource.
//!
//! The SQL function `concat` builds the text, in half the time of `json_object`. `json_quote` encodes strings, numbers
//! and `NULL`. Booleans are stored as numbers. A list is stored as JSON and copied.

use family_api_core::resource::{Event, Note, NoteCategory, ShoppingItem, Task};
use family_api_core::storage::table::field_name;
use family_api_core::storage::value::{StoredFields, Type};

/// The SQL of a JSON object: the name of each member, and its value.
pub(super) struct Object {
    table: &'static str,
    members: Vec<(String, Value)>,
}

/// The value of a member.
enum Value {
    /// The SQL of its JSON.
    Json(String),
    /// The SQL of the id of a person, whose JSON is not built in SQL.
    Person(String),
}

impl Object {
    /// Creates an object with a member for each column of a resource. `table` is the alias of its table.
    pub(super) fn of<T: StoredFields>(table: &'static str) -> Self {
        let members = T::COLUMNS.iter().map(|column| {
            let sql = format!(r#"{table}."{}""#, column.name);
            let value = match column.value {
                Type::Boolean => boolean(&sql),
                Type::Texts => raw(&sql),
                Type::Json => format!("coalesce({sql}, '[]')"),
                _ => format!("json_quote({sql})"),
            };
            (field_name(column.name), Value::Json(value))
        });
        Self { table, members: members.collect() }
    }

    /// Inserts a member before the member `next`.
    fn insert_before(mut self, next: &str, name: &str, value: String) -> Self {
        let position = self.position(next);
        self.members.insert(position, (name.to_owned(), Value::Json(value)));
        self
    }

    /// Inserts the joined record `name` after its id.
    fn insert_joined(self, name: &str, value: &str) -> Self {
        self.insert_after_id(name, Value::Json(raw(value)))
    }

    /// Inserts the person `name` after the id, which is in a column.
    fn insert_person(self, name: &str, column: &str) -> Self {
        let id = format!("{}.{column}", self.table);
        self.insert_after_id(name, Value::Person(id))
    }

    fn insert_after_id(mut self, name: &str, value: Value) -> Self {
        let after_id = self.position(&format!("{name}Id")) + 1;
        self.members.insert(after_id.min(self.members.len()), (name.to_owned(), value));
        self
    }

    /// Returns the position of a member, or the end if there is none.
    fn position(&self, name: &str) -> usize {
        self.members.iter().position(|(other, _)| other == name).unwrap_or(self.members.len())
    }

    /// Returns the columns of a statement whose rows are objects: the JSON up to the first person, the id of the person,
    /// the JSON up to the next one, and so on. The last `}` is missing.
    pub(super) fn columns(&self) -> String {
        let (mut columns, mut json) = (Vec::new(), Vec::new());
        let mut separator = '{';
        for (name, value) in &self.members {
            json.push(format!("'{separator}\"{name}\":'"));
            separator = ',';
            match value {
                Value::Json(sql) => json.push(sql.clone()),
                Value::Person(id) => columns.extend([concat(&json), id.clone()]),
            }
            if matches!(value, Value::Person(_)) {
                json.clear();
            }
        }
        columns.push(concat(&json));
        columns.join(", ")
    }

    /// Returns the columns of a statement whose rows are objects that contain an array: their id, and the JSON up to the
    /// array, which is the last member.
    pub(super) fn container(mut self, array: &str) -> String {
        self.members.push((array.to_owned(), Value::Json("''".to_owned())));
        format!("{}.id, {}", self.table, self.columns())
    }

    /// Returns the SQL of the object, or of `NULL` if the outer join has found no row of `table`.
    fn joined<T: StoredFields>(table: &'static str) -> String {
        format!("CASE WHEN {table}.id IS NOT NULL THEN concat({}, '}}') END", Self::of::<T>(table).columns())
    }
}

fn concat(arguments: &[String]) -> String {
    format!("concat({})", arguments.join(", "))
}

/// `true` or `false`, from the number that SQLite stores.
fn boolean(sql: &str) -> String {
    format!("iif({sql}, 'true', 'false')")
}

/// A value that is stored as JSON, or `null` for `NULL`.
fn raw(sql: &str) -> String {
    format!("coalesce({sql}, 'null')")
}

/// A [`Task`] from `tasks t`.
pub(super) fn task() -> Object {
    Object::of::<Task>("t")
        .insert_before("completedAt", "completed", boolean("t.completed_at IS NOT NULL"))
        .insert_person("assignee", "assignee_id")
        .insert_person("creator", "creator_id")
}

/// An [`Event`] from `events e`.
pub(super) fn event() -> Object {
    Object::of::<Event>("e").insert_person("assignee", "assignee_id")
}

/// A [`ShoppingItem`] from `shopping_items i`.
pub(super) fn item() -> Object {
    Object::of::<ShoppingItem>("i").insert_person("addedBy", "added_by_id")
}

/// A [`Note`] from `notes n` joined with `note_categories category`.
pub(super) fn note() -> Object {
    Object::of::<Note>("n")
        .insert_person("author", "author_id")
        .insert_joined("category", &Object::joined::<NoteCategory>("category"))
}

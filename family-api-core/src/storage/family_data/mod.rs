//! The rows of a family. Implements the rules for visibility and order, and collects the facts that a change needs
//! (HTTP reference, "Reads" and "Writes").

mod change;
mod changes;
mod complete;
mod facts;
mod needs;
mod row_steps;
mod rows;
mod store;
mod task_stats;
mod visibility;
mod writes;

pub use change::{Change, DecideFn};
use facts::RowKind;
pub use needs::{Needs, Rows};
pub use store::FamilyStore;
pub use writes::FamilyWrite;

use serde::{Deserialize, Serialize};

use crate::storage::{DeletedRecord, IdempotentAnswer, LoggedChange};

use crate::resource::{Board, Column, Event, Note, NoteCategory, Person, Revision, ShoppingItem, ShoppingList, Task};

/// The rows of one family, as its tables store them. The methods implement the reads, and collect the facts for a
/// change.
///
/// A host fills the fields from its own tables, and needs no code for the visibility rules. With [`FamilyStore`], the
/// host does not call these methods either. The rows can be in any order, and can be JSON that the database has built.
/// The methods ignore nested records (`columns`, `tasks`, `items`) and the objects beside the id of a person or a
/// category. They build both from the fields of this struct.
///
/// JSON with an unknown field is rejected, so that a misspelt name is not read as an empty list. A missing field is an
/// empty list, and `null` is rejected: PostgreSQL returns `null` for the `json_agg` of no rows, so use `coalesce`. The suite `family-api-conformance` checks that each method gets all the rows that it needs.
///
/// All rows must belong to one family, which the host's statements select. [`Needs`] tells which rows a call needs.
///
/// ```
/// use family_api_core::resource::Person;
/// use family_api_core::storage::FamilyData;
///
/// let ana = Person::new("ana".parse()?, "Ana");
/// let data = FamilyData { people: vec![ana], ..FamilyData::default() };
/// assert!(data.list_notes().is_empty());
///
/// assert!(serde_json::from_str::<FamilyData>(r#"{"notes": []}"#).is_ok());
/// assert!(serde_json::from_str::<FamilyData>(r#"{"nots": []}"#).is_err());
/// # Ok::<(), family_api_core::id::InvalidId>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct FamilyData {
    /// The revision of the rows. `None` if the host does not count revisions.
    pub revision: Option<Revision>,
    /// The current members of the family. Only these people are shown beside an id, and can be assigned a task or
    /// event.
    pub people: Vec<Person>,
    /// The boards. A store [without boards](crate::storage::Capabilities::without_boards) has none, and no columns: the
    /// library adds [`Board::only`] with [`Column::only`], and puts all tasks there.
    pub boards: Vec<Board>,
    /// The columns of all boards.
    pub columns: Vec<Column>,
    /// The tasks of all columns, including done tasks.
    pub tasks: Vec<Task>,
    /// The events.
    pub events: Vec<Event>,
    /// The shopping lists. For a store [without lists](crate::storage::Capabilities::without_lists), the library adds
    /// [`ShoppingList::only`], and puts all items there.
    pub lists: Vec<ShoppingList>,
    /// The items of all shopping lists.
    pub items: Vec<ShoppingItem>,
    /// The categories of notes.
    pub categories: Vec<NoteCategory>,
    /// The notes.
    pub notes: Vec<Note>,
    /// The deleted records that can be restored. No read shows them. Only a restoration needs them, and only the one
    /// record.
    pub deleted: Vec<DeletedRecord>,
    /// The answers to creations with an idempotency key. Only a creation with a key needs them, and only the answer to the
    /// user with this key.
    pub answers: Vec<IdempotentAnswer>,
    /// The log of changes. Only a read of the changes needs it. Empty for a store that
    /// [keeps no changes](crate::storage::Capabilities::keeps_changes).
    pub changes: Vec<LoggedChange>,
    /// The id that the new record gets if the call [can create](Needs::created) one, for example the next number of a
    /// sequence. No record of the kind has ever had it, also no deleted one: a repeated request would find the wrong
    /// record. `None` if the store takes the id that the library proposes, a UUID.
    pub new_id: Option<String>,
}

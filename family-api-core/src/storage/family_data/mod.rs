//! A family's records, and their rules: who sees what, in which order, and what a change must know (HTTP reference,
//! "Reads" and "Writes").

mod facts;
mod store;
mod task_stats;
mod visibility;
mod writes;

pub use store::{FamilyStore, FamilyWrite, Judge};

use serde::{Deserialize, Serialize};

use crate::resource::{Board, Column, Event, Note, NoteCategory, Person, Revision, ShoppingItem, ShoppingList, Task};

/// A family's records, row by row as tables hold them: it answers what a storage is asked about them.
///
/// A host fills it from its own rows and need not know any rule of what a member sees; with [`FamilyStore`], it need not
/// even ask. The rows may come in any order, also as JSON that the database has put together. What contains others
/// (`columns`, `tasks`, `items`), and what stands beside the id of a person or a category, counts for nothing here: the
/// answers have it from the other rows.
///
/// As JSON, a kind that it does not know is refused, so none that is misspelt is taken for an empty list. One that is
/// missing stays empty: whether a question got all its rows, the `conformance` suite finds out.
///
/// All of it must be of one family; whose, the statements that read it say. It need not be whole, only what the
/// question is about:
///
/// | question | rows |
/// |---|---|
/// | [`list_tasks`](Self::list_tasks) | `people`, `boards`, `columns`, `tasks` |
/// | [`list_events`](Self::list_events) | `people`, `events` |
/// | [`list_shopping`](Self::list_shopping) | `people`, `lists`, `items` |
/// | [`list_notes`](Self::list_notes) | `people`, `categories`, `notes` |
/// | [`find_task_stats`](Self::find_task_stats) | `boards`, `columns`, `tasks` |
/// | [`find_task_facts`](Self::find_task_facts) | `people`, `boards`, `columns`, and of `tasks` that one with all in the column that the update names |
/// | [`find_note_facts`](Self::find_note_facts) | `people`, `categories`, and of `notes` that one |
///
/// ```
/// use family_api_core::resource::Person;
/// use family_api_core::storage::FamilyData;
///
/// let ana = Person { id: "ana".parse()?, name: "Ana".to_owned(), image: None, color: None, emoji: None };
/// let data = FamilyData { people: vec![ana], ..FamilyData::default() };
/// assert!(data.list_notes().is_empty());
///
/// assert!(serde_json::from_str::<FamilyData>(r#"{"notes": []}"#).is_ok());
/// assert!(serde_json::from_str::<FamilyData>(r#"{"nots": []}"#).is_err());
/// # Ok::<(), family_api_core::id::InvalidId>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FamilyData {
    /// The version that the rows are of, where the host counts one.
    pub revision: Option<Revision>,
    /// Who is in the family now; nobody else is shown beside an id, or can be given a task.
    pub people: Vec<Person>,
    /// The boards.
    pub boards: Vec<Board>,
    /// The columns of all boards.
    pub columns: Vec<Column>,
    /// The tasks of all columns, done ones too.
    pub tasks: Vec<Task>,
    /// The events.
    pub events: Vec<Event>,
    /// The shopping lists.
    pub lists: Vec<ShoppingList>,
    /// The items of all shopping lists.
    pub items: Vec<ShoppingItem>,
    /// The categories of notes.
    pub categories: Vec<NoteCategory>,
    /// The notes.
    pub notes: Vec<Note>,
}

//! Calls that write records.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use family_api_types::change::{ColumnChange, Editable, EventChange, OccurrenceScope, ShoppingItemChange, TaskMove};
use family_api_types::id::{BoardId, ColumnId, EventId, Id, ListId, TaskId};
use family_api_types::occurrences::OccurrenceStart;
use family_api_types::paths::{self, RecordPaths};
use family_api_types::resource::{
    Board, Column, Deleted, DeletedItems, DeletedOccurrence, Event, Note, NoteCategory, ShoppingItem, ShoppingList,
    Task, Verb,
};
use serde::Serialize;

use crate::condition::{Conditional, Creation};
use crate::random_key::random_key;
use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, FamilyClient, SessionClient, Versioned};

/// Calls that create, update, delete and restore records of one kind.
///
/// A creation sends its change as the new record: the change must have all required fields. [`FamilyClient`] lists the
/// scopes that a token needs.
pub struct RecordsApi<R> {
    transport: Arc<Transport>,
    /// The prefix of the routes: for a token or for a session.
    prefix: &'static str,
    record: PhantomData<fn() -> R>,
}

/// The change of a kind of record, such as [`TaskChange`](crate::change::TaskChange) for [`Task`].
pub type ChangeOf<R> = <R as Editable>::Change;

/// Declares a type of calls for each kind of record, and the methods of the clients that return it.
macro_rules! records_api {
    ($(
        $(#[$type_doc:meta])*
        $Api:ident = $Record:ident, $Change:ident {
            $(#[$session_doc:meta])*
            session $in_session:ident;
            $(#[$token_doc:meta])*
            token $with_token:ident;
        }
    )*) => {
        $(
            $(#[$type_doc])*
            pub type $Api = RecordsApi<$Record>;
        )*

        /// The changes of the records.
        pub(crate) mod changes {
            pub use family_api_types::change::{$($Change,)*};
        }

        impl SessionClient {$(
            $(#[$session_doc])*
            #[must_use]
            pub fn $in_session(&self) -> $Api {
                RecordsApi::new(&self.transport, paths::SESSION)
            }
        )*}

        impl FamilyClient {$(
            $(#[$token_doc])*
            #[must_use]
            pub fn $with_token(&self) -> $Api {
                RecordsApi::new(&self.transport, paths::V1)
            }
        )*}
    };
}

records_api! {
    /// Calls that write tasks.
    TasksApi = Task, TaskChange {
        /// Returns the calls that write tasks.
        session tasks;
        /// Returns the calls that write tasks. Updates need the scope `v1.tasks.write`. Creations, deletions and
        /// restorations need `v1.tasks.manage`.
        token tasks;
    }
    /// Calls that write notes.
    NotesApi = Note, NoteChange {
        /// Returns the calls that write notes.
        session notes;
        /// Returns the calls that write notes. Updates and deletions need the scope `v1.notes.write`. Creations and
        /// restorations need `v1.notes.manage`.
        token notes;
    }
    /// Calls that write events.
    EventsApi = Event, EventChange {
        /// Returns the calls that write events.
        session events;
        /// Returns the calls that write events. They need the scope `v1.events.write`.
        token events;
    }
    /// Calls that write the items of shopping lists.
    ShoppingItemsApi = ShoppingItem, ShoppingItemChange {
        /// Returns the calls that write the items of shopping lists.
        session shopping_items;
        /// Returns the calls that write the items of shopping lists. They need the scope `v1.shopping.write`.
        token shopping_items;
    }
    /// Calls that write boards.
    BoardsApi = Board, BoardChange {
        /// Returns the calls that write boards.
        session boards;
        /// Returns the calls that write boards. They need the scope `v1.boards.manage`.
        token boards;
    }
    /// Calls that write the columns of boards.
    ColumnsApi = Column, ColumnChange {
        /// Returns the calls that write the columns of boards.
        session columns;
        /// Returns the calls that write the columns of boards. They need the scope `v1.boards.manage`.
        token columns;
    }
    /// Calls that write shopping lists.
    ShoppingListsApi = ShoppingList, ShoppingListChange {
        /// Returns the calls that write shopping lists.
        session shopping_lists;
        /// Returns the calls that write shopping lists. They need the scope `v1.boards.manage`.
        token shopping_lists;
    }
    /// Calls that write the categories of notes.
    NoteCategoriesApi = NoteCategory, NoteCategoryChange {
        /// Returns the calls that write the categories of notes.
        session note_categories;
        /// Returns the calls that write the categories of notes. They need the scope `v1.notes.manage`.
        token note_categories;
    }
}

/// A kind of record that is created in the family, and not in a container. Only this crate implements it.
pub trait Independent: Editable {}

impl Independent for Task {}
impl Independent for Note {}
impl Independent for Event {}
impl Independent for Board {}
impl Independent for ShoppingList {}
impl Independent for NoteCategory {}

/// A kind of record that can be restored after its deletion. Only this crate implements it.
pub trait Restorable: Editable {}

impl Restorable for Task {}
impl Restorable for Note {}
impl Restorable for Event {}
impl Restorable for ShoppingItem {}

impl<R: Editable> RecordsApi<R> {
    pub(crate) fn new(transport: &Arc<Transport>, prefix: &'static str) -> Self {
        Self { transport: transport.clone(), prefix, record: PhantomData }
    }

    /// Updates the fields that the change names. If a field is invalid, updates nothing. Returns the updated record.
    pub fn update(&self, id: &R::Id, change: ChangeOf<R>) -> Call<Versioned<R>, Conditional> {
        self.patch(id, change)
    }

    /// Deletes a record. Tasks, notes, events and items can be restored for 30 days. A board, column, list or category
    /// that is not empty is not deleted: the error code is `not_empty`.
    pub fn delete(&self, id: &R::Id) -> Call<Deleted<R::Id>, Conditional> {
        Call::new(&self.transport, Request::delete(Self::paths().record_in(self.prefix, id)))
    }

    fn create_in(&self, container: &str, change: ChangeOf<R>) -> Call<Versioned<R>, Creation> {
        let path = Self::paths().collection_in(self.prefix, container);
        Call::of_record(&self.transport, Request::post(path).with_body(change).with_idempotency_key(random_key()))
    }

    fn patch(&self, id: &R::Id, body: impl Serialize) -> Call<Versioned<R>, Conditional> {
        Call::of_record(&self.transport, Request::patch(Self::paths().record_in(self.prefix, id), body))
    }

    const fn paths() -> RecordPaths {
        R::KIND.paths()
    }
}

impl<R: Independent> RecordsApi<R> {
    /// Creates a record. Returns the new record.
    pub fn create(&self, change: ChangeOf<R>) -> Call<Versioned<R>, Creation> {
        self.create_in("", change)
    }
}

impl<R: Restorable> RecordsApi<R> {
    /// Restores a record that was deleted in the last 30 days. A record that is not deleted stays as it is. Returns the
    /// record.
    pub fn restore(&self, id: &R::Id) -> Call<Versioned<R>> {
        Call::of_record(&self.transport, Request::post(Self::paths().operation_in(self.prefix, Verb::Restore, id)))
    }
}

impl RecordsApi<Task> {
    /// Moves a task to a position in a column. If another task has this position, that task and the tasks after it get
    /// higher positions, as far as the first free one. Returns the updated task.
    pub fn move_to(&self, task: &TaskId, column: &ColumnId, order: i64) -> Call<Versioned<Task>, Conditional> {
        self.patch(task, TaskMove::new(column, order))
    }
}

impl RecordsApi<Event> {
    /// Changes one occurrence of a recurring event, or also others. One occurrence has any field except `allDay`,
    /// `timeZone` and `recurrence`. Returns the event. With [`OccurrenceScope::Following`], the service makes another
    /// event of this and all later occurrences, and returns it.
    pub fn update_occurrence(
        &self,
        event: &EventId,
        start: OccurrenceStart,
        scope: OccurrenceScope,
        change: EventChange,
    ) -> Call<Versioned<Event>, Conditional> {
        let request = Request::patch(paths::occurrence(self.prefix, event, start), change);
        Call::of_record(&self.transport, request.with_query("scope", Some(scope.as_str().to_owned())))
    }

    /// Skips one occurrence of a recurring event, or ends the event before it. Deletes no event.
    pub fn delete_occurrence(
        &self,
        event: &EventId,
        start: OccurrenceStart,
        scope: OccurrenceScope,
    ) -> Call<DeletedOccurrence, Conditional> {
        let request = Request::delete(paths::occurrence(self.prefix, event, start));
        Call::new(&self.transport, request.with_query("scope", Some(scope.as_str().to_owned())))
    }

    /// Restores one occurrence of a recurring event that was skipped or changed. Returns the event.
    pub fn restore_occurrence(&self, event: &EventId, start: OccurrenceStart) -> Call<Versioned<Event>, Conditional> {
        let path = paths::occurrence_restore(self.prefix, event, start);
        Call::of_record(&self.transport, Request::post(path))
    }
}

impl RecordsApi<Column> {
    /// Creates a column on a board. Returns the new column.
    pub fn create(&self, board: &BoardId, change: ColumnChange) -> Call<Versioned<Column>, Creation> {
        self.create_in(board.text(), change)
    }
}

impl RecordsApi<ShoppingItem> {
    /// Adds an item to a shopping list. Returns the new item.
    pub fn create(&self, list: &ListId, change: ShoppingItemChange) -> Call<Versioned<ShoppingItem>, Creation> {
        self.create_in(list.text(), change)
    }

    /// Deletes the checked items of a shopping list: at most 500 in one call. Returns the ids of the deleted items.
    pub fn delete_checked(&self, list: &ListId) -> Call<DeletedItems> {
        let request = Request::delete(Self::paths().collection_in(self.prefix, list));
        Call::new(&self.transport, request.with_query("checked", Some("true".to_owned())))
    }
}

/// Derived, this would require that the record can be cloned.
impl<R> Clone for RecordsApi<R> {
    fn clone(&self) -> Self {
        Self { transport: self.transport.clone(), ..*self }
    }
}

impl<R: Editable> fmt::Debug for RecordsApi<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordsApi").field("kind", &R::KIND).field("transport", &self.transport).finish_non_exhaustive()
    }
}

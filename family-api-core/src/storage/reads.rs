//! Reads of tasks, events, shopping lists, notes, task statistics and members, as a member of the family sees them.

use std::ops::Range;

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::Member;
use crate::calendar::{EventRange, StatsPeriods};
use crate::id::{EventId, ItemId, NoteId, TaskId};
use crate::resource::{Board, Document, Event, Note, Person, ShoppingItem, ShoppingList, TaskFilter, TaskStats};
use crate::storage::{ChangesQuery, FoundChanges, RestorableEntry, RestorableQuery, StorageError};

/// Reads family data. It never writes.
///
/// A user who has left the family after the request was authorized reads nothing: the statement of a read checks again
/// that the user is in the family.
///
/// Order and visibility: HTTP reference, "Reads". The content of an invisible container is not returned, such as the
/// tasks of another member's private board. If a person is not in the family, their id is returned, and the person
/// beside the id is `None`. If the storage counts revisions, each document contains the revision of its data
/// ([`Document::with_revision`]), from which the entity tag is computed.
#[async_trait]
pub trait ReadStorage: Send + Sync {
    /// Lists the boards that the member sees, with their columns and the tasks that match the filter.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError>;

    /// Finds a task: its board with its column with this task only, as in [`list_tasks`](Self::list_tasks). The document
    /// is empty if the member does not see the task. Default: lists all tasks.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_task(&self, member: &Member, task: &TaskId) -> Result<Document<Vec<Board>>, StorageError> {
        let document = self.list_tasks(member, TaskFilter::All).await?;
        let boards = with_only_task(document.parse()?, task);
        Ok(Document::of(&boards)?.with_revision(document.revision()))
    }

    /// Lists the events in the range.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError>;

    /// Finds an event: a list of this event only, as in [`list_events`](Self::list_events). The list is empty if the
    /// member does not see the event. Default: lists all events.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_event(&self, member: &Member, event: &EventId) -> Result<Document<Vec<Event>>, StorageError> {
        let document = self.list_events(member, &EventRange { from: None, to: None }).await?;
        let mut events = document.parse()?;
        events.retain(|other| other.id == *event);
        Ok(Document::of(&events)?.with_revision(document.revision()))
    }

    /// Lists the events that may have an occurrence in the range: events without a recurrence that overlap it, and all
    /// events with a recurrence. A changed occurrence can be before the start of its event.
    ///
    /// An event overlaps the range if it starts before the end of the range, and ends at or after the start. The order is
    /// that of [`list_events`](Self::list_events).
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError>;

    /// Lists the shopping lists that the member sees, with their items.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError>;

    /// Finds a shopping item: a list of this item only, as in [`list_shopping`](Self::list_shopping). The list is empty if
    /// the member does not see the item. Default: lists all shopping lists.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_shopping_item(
        &self,
        member: &Member,
        item: &ItemId,
    ) -> Result<Document<Vec<ShoppingItem>>, StorageError> {
        let document = self.list_shopping(member).await?;
        let mut items: Vec<_> = document.parse()?.into_iter().flat_map(|list| list.items).collect();
        items.retain(|other| other.id == *item);
        Ok(Document::of(&items)?.with_revision(document.revision()))
    }

    /// Lists the notes.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError>;

    /// Finds a note: a list of this note only, as in [`list_notes`](Self::list_notes). The list is empty if the member
    /// does not see the note. Default: lists all notes.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_note(&self, member: &Member, note: &NoteId) -> Result<Document<Vec<Note>>, StorageError> {
        let document = self.list_notes(member).await?;
        let mut notes = document.parse()?;
        notes.retain(|other| other.id == *note);
        Ok(Document::of(&notes)?.with_revision(document.revision()))
    }

    /// Counts the visible tasks that are assigned to the member, or unassigned and created by the member. Counts open
    /// tasks, all done tasks, and the tasks that were done in each period.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError>;

    /// Lists the members of the family, ordered by id.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError>;

    /// Lists the deleted records that the member can restore: those whose container exists, and which the member saw
    /// before the deletion by the rules of visibility.
    ///
    /// Default: none, for a storage that keeps no deleted records.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_restorable(
        &self,
        member: &Member,
        query: &RestorableQuery,
    ) -> Result<Vec<RestorableEntry>, StorageError> {
        let _ = (member, query);
        Ok(Vec::new())
    }

    /// Lists the changes of records since a revision, as the member sees them
    /// ([`LoggedChange`](crate::storage::LoggedChange)). The rows of the log and the revision of the family are read in one snapshot. The records can be read later, so
    /// they can be newer than the revision of the result.
    ///
    /// Default: a fault, for a storage that [keeps no changes](crate::storage::Capabilities::keeps_changes).
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_changes(&self, member: &Member, query: &ChangesQuery) -> Result<FoundChanges, StorageError> {
        let _ = (member, query);
        Err(StorageError::backend("the storage keeps no changes"))
    }
}

/// Returns the board with the column with the task, without anything else. It is empty if the task is not on the boards.
pub(super) fn with_only_task(boards: Vec<Board>, task: &TaskId) -> Vec<Board> {
    let mut boards = boards;
    for board in &mut boards {
        for column in &mut board.columns {
            column.tasks.retain(|other| other.id == *task);
        }
        board.columns.retain(|column| !column.tasks.is_empty());
    }
    boards.retain(|board| !board.columns.is_empty());
    boards
}

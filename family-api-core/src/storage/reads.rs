//! Reads of the five resources, as a member of the family sees them.

use async_trait::async_trait;

use crate::calendar::{EventRange, StatsPeriods};
use crate::resource::{Board, Document, Event, Note, ShoppingList, TaskFilter, TaskStats};
use crate::storage::{Member, StorageError};

/// Reads family data. It never writes.
///
/// Order and visibility: HTTP reference, "Reads". The visibility of the container is checked before that of its
/// content. A person who is not, or no longer, in the family is `None` beside their id. If the storage counts
/// revisions, each document carries the revision of its data ([`Document::at`]), which becomes the entity tag.
#[async_trait]
pub trait ReadStorage: Send + Sync {
    /// Lists the boards that the member sees, with their columns and the tasks that match the filter.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError>;

    /// Lists the events in the range.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError>;

    /// Lists the shopping lists that the member sees, with their items.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError>;

    /// Lists the notes.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError>;

    /// Counts the member's own visible tasks: open, and done in the periods.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError>;
}

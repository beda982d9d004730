//! The five resources, as a member of the family sees them.

use async_trait::async_trait;

use crate::calendar::{EventRange, StatsPeriods};
use crate::resource::{Board, Document, Event, Note, ShoppingList, TaskFilter, TaskStats};
use crate::storage::{Member, StorageError};

/// Reads family data; it never writes.
///
/// Order and visibility: HTTP reference, "Reads". The container is judged first, then what is in it.
/// A person who is not in the family (any more) is `None` beside their id. Where the family's data has a revision, the
/// document tells the one that it shows ([`Document::at`]): entity tags are made of it.
#[async_trait]
pub trait ReadStorage: Send + Sync {
    /// The boards that the member sees, with their columns and the tasks that the filter lets through.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError>;

    /// The events of the range.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError>;

    /// The shopping lists that the member sees, with their items.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError>;

    /// The notes.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError>;

    /// How many of the member's own tasks, as far as they see them, are open and were done in the periods.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError>;
}

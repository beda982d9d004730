//! Implements reads and writes for a host that only loads and stores a family's rows.

use std::ops::{ControlFlow, Range};

use async_trait::async_trait;

use crate::Timestamp;
use crate::calendar::{EventRange, StatsPeriods};
use crate::change::TaskWrite;
use crate::id::NoteId;
use crate::resource::{Board, Document, Event, Note, Person, ResourceKind, ShoppingList, TaskFilter, TaskStats};
use crate::storage::record_changes::impl_write_storage;
use crate::storage::write_sequence::{RecordChange, RecordWrite};
use crate::storage::{Author, FamilyData, FoundCredential, Member, ReadStorage, StorageError, Update};

/// Loads and stores the rows of families. Every implementation also implements [`ReadStorage`] and
/// [`WriteStorage`](crate::storage::WriteStorage), with all rules of the HTTP reference.
///
/// Use it for families of the size of a household, because each call loads all rows of a resource. For large families,
/// implement the two traits with your own statements.
#[async_trait]
pub trait FamilyStore: Send + Sync {
    /// Loads the rows of the member's family that the resource needs ([`FamilyData`]), as of one moment.
    ///
    /// The user can leave the family between the authorization of the request and this call. The statement should check
    /// again that the user is in the family, and load no rows if not.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError>;

    /// Loads the rows and the author's credential, calls `decide`, and stores the result, in one transaction without
    /// concurrent writes.
    ///
    /// Finds the credential in this transaction ([`FoundCredential`]): the key with the digest, or the user of a
    /// session that has not expired at `now`. [`Author::find_credential`] does so for a host whose transaction locks
    /// out every other writer.
    ///
    /// Passes `decide` the rows that [`load`](Self::load) returns. If `decide` returns `None`, stores nothing.
    ///
    /// `decide` can be called only once, so the transaction cannot be retried. A host with serializable transactions
    /// takes an exclusive lock before it loads the rows, so that no conflict can roll the transaction back.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Nothing was changed then.
    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError>;
}

/// Decides what to store, from the credential and the rows. `None` stores nothing.
pub type DecideFn<'a> = Box<dyn FnOnce(FoundCredential, &FamilyData) -> Option<FamilyWrite> + Send + 'a>;

/// A write that a [`FamilyStore`] must make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FamilyWrite {
    /// Replaces the task. If [`TaskWrite::makes_room`] is set, first shifts the tasks of the column that must make
    /// room.
    Task(TaskWrite),
    /// Replaces the note.
    Note(Note),
    /// Deletes the note.
    DeleteNote(NoteId),
}

#[async_trait]
impl<S: FamilyStore> ReadStorage for S {
    async fn list_tasks(&self, member: &Member, filter: TaskFilter) -> Result<Document<Vec<Board>>, StorageError> {
        let data = self.load(member, ResourceKind::Tasks).await?;
        Ok(Document::of(&data.list_tasks(&member.user, filter))?.with_revision(data.revision))
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let data = self.load(member, ResourceKind::Events).await?;
        Ok(Document::of(&data.list_events(range))?.with_revision(data.revision))
    }

    async fn list_overlapping_events(
        &self,
        member: &Member,
        range: &Range<Timestamp>,
    ) -> Result<Document<Vec<Event>>, StorageError> {
        let data = self.load(member, ResourceKind::Events).await?;
        Ok(Document::of(&data.list_overlapping_events(range))?.with_revision(data.revision))
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        let data = self.load(member, ResourceKind::Shopping).await?;
        Ok(Document::of(&data.list_shopping(&member.user))?.with_revision(data.revision))
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        let data = self.load(member, ResourceKind::Notes).await?;
        Ok(Document::of(&data.list_notes())?.with_revision(data.revision))
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        let data = self.load(member, ResourceKind::TaskStats).await?;
        Ok(Document::of(&data.find_task_stats(&member.user, periods))?.with_revision(data.revision))
    }

    /// Loads the rows for shopping lists: they include the people, and are usually the fewest.
    async fn list_members(&self, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
        let data = self.load(member, ResourceKind::Shopping).await?;
        Ok(Document::of(&data.list_members())?.with_revision(data.revision))
    }
}

impl_write_storage!([<S: FamilyStore>] S, write);

async fn write<C: RecordChange>(
    store: &impl FamilyStore,
    write: &RecordWrite<'_, C>,
) -> Result<Update<C::Output>, StorageError> {
    let mut outcome = Ok(Update::NotFound);
    let decide = |credential, data: &FamilyData| match write.decide_from_rows(credential, data) {
        Ok(ControlFlow::Continue(write)) => {
            outcome = Ok(Update::Done(C::output(write.clone())));
            Some(C::family_write(write))
        }
        Ok(ControlFlow::Break(update)) => {
            outcome = Ok(update);
            None
        }
        Err(fault) => {
            outcome = Err(fault);
            None
        }
    };
    store.change(write.author, C::RESOURCE, write.now, Box::new(decide)).await?;
    outcome
}

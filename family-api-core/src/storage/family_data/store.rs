//! Implements reads and writes for a host that only loads and stores a family's rows.

use async_trait::async_trait;
use serde::Serialize;

use crate::calendar::{EventRange, StatsPeriods, Zone};
use crate::change::{NoteChange, TaskUpdate, TaskWrite, Verdict};
use crate::id::{NoteId, TaskId};
use crate::resource::{Board, Document, Event, Note, ResourceKind, ShoppingList, Task, TaskFilter, TaskStats};
use crate::storage::{Author, FamilyData, FoundCredential, Member, ReadStorage, StorageError, Update, WriteStorage};
use crate::{Precondition, Timestamp};

/// Loads and stores the rows of families. Every implementation also implements [`ReadStorage`] and [`WriteStorage`],
/// with all rules of the HTTP reference.
///
/// Use it for families of the size of a household, because each call loads all rows of a resource. For large families,
/// implement the two traits with your own statements.
#[async_trait]
pub trait FamilyStore: Send + Sync {
    /// Loads the rows of the member's family that the resource needs ([`FamilyData`]), as of one moment.
    ///
    /// A request reads a moment after it was authorized. A statement that checks again who is in the family loads no
    /// rows for a user who has left in between.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError>;

    /// Loads the rows and the author's credential, calls the judge, and stores the result, in one transaction without
    /// concurrent writes.
    ///
    /// Finds the credential in this transaction ([`FoundCredential`]): the key with the digest, or the user of a
    /// session that has not expired at `now`. [`Author::find_credential`] does so for a host whose transaction locks
    /// out every other writer.
    ///
    /// Passes the rows as [`load`](Self::load) returns them. The judge can be called only once, so the transaction
    /// cannot be retried: a host with serializable transactions takes an exclusive lock before it loads. If the judge
    /// returns `None`, stores nothing.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Nothing was changed then.
    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        judge: Judge<'_>,
    ) -> Result<(), StorageError>;
}

/// Decides what to store, from the credential and the rows. `None` stores nothing.
pub type Judge<'a> = Box<dyn FnOnce(FoundCredential, &FamilyData) -> Option<FamilyWrite> + Send + 'a>;

/// A write that a [`FamilyStore`] must make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FamilyWrite {
    /// Replaces the task. If it makes room, moves the other tasks of its column first.
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
        Ok(Document::of(&data.list_tasks(&member.user, filter))?.at(data.revision))
    }

    async fn list_events(&self, member: &Member, range: &EventRange) -> Result<Document<Vec<Event>>, StorageError> {
        let data = self.load(member, ResourceKind::Events).await?;
        Ok(Document::of(&data.list_events(range))?.at(data.revision))
    }

    async fn list_shopping(&self, member: &Member) -> Result<Document<Vec<ShoppingList>>, StorageError> {
        let data = self.load(member, ResourceKind::Shopping).await?;
        Ok(Document::of(&data.list_shopping(&member.user))?.at(data.revision))
    }

    async fn list_notes(&self, member: &Member) -> Result<Document<Vec<Note>>, StorageError> {
        let data = self.load(member, ResourceKind::Notes).await?;
        Ok(Document::of(&data.list_notes())?.at(data.revision))
    }

    async fn find_task_stats(
        &self,
        member: &Member,
        periods: &StatsPeriods,
    ) -> Result<Document<TaskStats>, StorageError> {
        let data = self.load(member, ResourceKind::TaskStats).await?;
        Ok(Document::of(&data.find_task_stats(&member.user, periods))?.at(data.revision))
    }
}

#[async_trait]
impl<S: FamilyStore> WriteStorage for S {
    async fn update_task(
        &self,
        author: &Author,
        task: &TaskId,
        update: TaskUpdate,
        precondition: &Precondition,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        let mut outcome = Ok(Update::NotFound);
        let user = &author.member.user;
        let judge = |credential, data: &FamilyData| {
            check_author(author, credential, now, &mut outcome)?;
            let facts = data.find_task_facts(user, task, &update)?;
            let is_empty = update.is_empty();
            check_precondition(precondition, &facts.task, &mut outcome)?;
            let verdict = update.judge(facts, user, zone, now);
            let write = apply_verdict(verdict, |write| write.task.clone(), &mut outcome)?;
            (!is_empty).then_some(FamilyWrite::Task(write))
        };
        self.change(author, ResourceKind::Tasks, now, Box::new(judge)).await?;
        outcome
    }

    async fn update_note(
        &self,
        author: &Author,
        note: &NoteId,
        change: NoteChange,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        let mut outcome = Ok(Update::NotFound);
        let judge = |credential, data: &FamilyData| {
            check_author(author, credential, now, &mut outcome)?;
            let facts = data.find_note_facts(note, &change)?;
            let is_empty = change.is_empty();
            check_precondition(precondition, &facts.note, &mut outcome)?;
            let note = apply_verdict(change.judge(facts, now), Note::clone, &mut outcome)?;
            (!is_empty).then_some(FamilyWrite::Note(note))
        };
        self.change(author, ResourceKind::Notes, now, Box::new(judge)).await?;
        outcome
    }

    async fn delete_note(
        &self,
        author: &Author,
        note: &NoteId,
        precondition: &Precondition,
        now: Timestamp,
    ) -> Result<Update<()>, StorageError> {
        let mut outcome = Ok(Update::NotFound);
        let judge = |credential, data: &FamilyData| {
            check_author(author, credential, now, &mut outcome)?;
            let facts = data.find_note_facts(note, &NoteChange::new())?;
            check_precondition(precondition, &facts.note, &mut outcome)?;
            outcome = Ok(Update::Done(()));
            Some(FamilyWrite::DeleteNote(note.clone()))
        };
        self.change(author, ResourceKind::Notes, now, Box::new(judge)).await?;
        outcome
    }
}

/// The result for the caller of a write, or the fault that prevented it.
type Outcome<T> = Result<Update<T>, StorageError>;

/// Returns `Some` if the author's credential is still valid. Otherwise sets the outcome.
fn check_author<T>(
    author: &Author,
    credential: FoundCredential,
    now: Timestamp,
    outcome: &mut Outcome<T>,
) -> Option<()> {
    author.check(credential, now).map_err(|denied| *outcome = Ok(denied.into())).ok()
}

/// Returns `Some` if the record meets the precondition. Otherwise sets the outcome.
fn check_precondition<R: Serialize, T>(
    precondition: &Precondition,
    record: &R,
    outcome: &mut Outcome<T>,
) -> Option<()> {
    let failed = match precondition.holds(record) {
        Ok(true) => return Some(()),
        Ok(false) => Ok(Update::PreconditionFailed),
        Err(fault) => Err(fault),
    };
    *outcome = failed;
    None
}

/// Sets the outcome, and returns the value to write, if any.
fn apply_verdict<W, T>(verdict: Verdict<W>, record: impl Fn(&W) -> T, outcome: &mut Outcome<T>) -> Option<W> {
    let (update, write) = match verdict {
        Verdict::NotFound => (Update::NotFound, None),
        Verdict::Refused(faults) => (Update::Refused(faults), None),
        Verdict::Write(write) => (Update::Done(record(&write)), Some(write)),
    };
    *outcome = Ok(update);
    write
}

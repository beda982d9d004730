//! Reads and writes of a host that keeps a family's rows: all that is left to it is to load and to store them.

use async_trait::async_trait;
use serde::Serialize;

use crate::calendar::{EventRange, StatsPeriods, Zone};
use crate::change::{NoteChange, TaskUpdate, TaskWrite, Verdict};
use crate::id::{NoteId, TaskId};
use crate::resource::{Board, Document, Event, Note, ResourceKind, ShoppingList, Task, TaskFilter, TaskStats};
use crate::storage::{Author, FamilyData, FoundCredential, Member, ReadStorage, StorageError, Update, WriteStorage};
use crate::{Precondition, Timestamp};

/// Keeps the rows of families: whoever implements it has [`ReadStorage`] and [`WriteStorage`], with every rule of the HTTP reference.
///
/// It is the short way for a host whose families are of a household's size, since each question loads what it is about
/// as a whole. One whose families are large implements the two traits with statements of its own.
#[async_trait]
pub trait FamilyStore: Send + Sync {
    /// The rows of the member's family that the resource is made of ([`FamilyData`]), as of one moment.
    ///
    /// A request acts for the family in which its user was found when it was let in, and reads a moment later: a
    /// statement that asks once more who is in the family gives none to somebody who has left in between.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError>;

    /// Loads the rows and the author's credential, has them judged, and stores the verdict: one transaction, into which
    /// no other write comes.
    ///
    /// The credential is found in this transaction ([`FoundCredential`]): the key of its digest, or the user of a session
    /// that has not expired `now`.
    /// [`Author::find_credential`] does so for a host whose transaction keeps every other writer out.
    ///
    /// The rows are given as [`load`](Self::load) gives them. The judge is asked once, and cannot be asked again: a
    /// host whose transactions are serializable, and may have to be repeated, takes the lock that keeps the others out
    /// before it loads. Where the judge says `None`, nothing is stored.
    ///
    /// # Errors
    /// [`StorageError`] for a fault; nothing was changed then.
    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        judge: Judge<'_>,
    ) -> Result<(), StorageError>;
}

/// Says what to store, once it has seen the credential and the rows.
pub type Judge<'a> = Box<dyn FnOnce(FoundCredential, &FamilyData) -> Option<FamilyWrite> + Send + 'a>;

/// What a store shall write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FamilyWrite {
    /// The task in the place of what it was; where it makes room, the others of its column go first.
    Task(TaskWrite),
    /// The note in the place of what it was.
    Note(Note),
    /// The note no more.
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
            admit(author, credential, now, &mut outcome)?;
            let facts = data.find_task_facts(user, task, &update)?;
            let is_empty = update.is_empty();
            expect(precondition, &facts.task, &mut outcome)?;
            let verdict = update.judge(facts, user, zone, now);
            let write = written(verdict, |write| write.task.clone(), &mut outcome)?;
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
            admit(author, credential, now, &mut outcome)?;
            let facts = data.find_note_facts(note, &change)?;
            let is_empty = change.is_empty();
            expect(precondition, &facts.note, &mut outcome)?;
            let note = written(change.judge(facts, now), Note::clone, &mut outcome)?;
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
            admit(author, credential, now, &mut outcome)?;
            let facts = data.find_note_facts(note, &NoteChange::new())?;
            expect(precondition, &facts.note, &mut outcome)?;
            outcome = Ok(Update::Done(()));
            Some(FamilyWrite::DeleteNote(note.clone()))
        };
        self.change(author, ResourceKind::Notes, now, Box::new(judge)).await?;
        outcome
    }
}

/// What the caller is told once it is so, or why that cannot be found out.
type Outcome<T> = Result<Update<T>, StorageError>;

/// Goes on only if the author's credential is still valid.
fn admit<T>(author: &Author, credential: FoundCredential, now: Timestamp, outcome: &mut Outcome<T>) -> Option<()> {
    author.check(credential, now).map_err(|denied| *outcome = Ok(denied.into())).ok()
}

/// Goes on only where the precondition holds of the record.
fn expect<R: Serialize, T>(precondition: &Precondition, record: &R, outcome: &mut Outcome<T>) -> Option<()> {
    let failed = match precondition.holds(record) {
        Ok(true) => return Some(()),
        Ok(false) => Ok(Update::PreconditionFailed),
        Err(fault) => Err(fault),
    };
    *outcome = failed;
    None
}

/// What is to be written, if anything is.
fn written<W, T>(verdict: Verdict<W>, record: impl Fn(&W) -> T, outcome: &mut Outcome<T>) -> Option<W> {
    let (told, write) = match verdict {
        Verdict::NotFound => (Update::NotFound, None),
        Verdict::Refused(faults) => (Update::Refused(faults), None),
        Verdict::Write(write) => (Update::Done(record(&write)), Some(write)),
    };
    *outcome = Ok(told);
    write
}

//! The changes of single records: which facts their rules need, and which record they write.

use crate::calendar::Zone;
use crate::change::{NoteFacts, NoteUpdate, TaskFacts, TaskUpdate, TaskWrite, Verdict};
use crate::id::{NoteId, TaskId, UserId};
use crate::resource::{Note, ResourceKind, Task};
use crate::storage::write_sequence::RecordChange;
use crate::storage::{FamilyData, FamilyWrite};
use crate::timestamp::Timestamp;

/// Updates or moves a task.
pub(super) struct UpdateTask<'a> {
    pub(super) task: &'a TaskId,
    pub(super) update: TaskUpdate,
    /// The time zone of the author.
    pub(super) zone: &'a Zone,
}

impl RecordChange for UpdateTask<'_> {
    type Facts = TaskFacts;
    type Record = Task;
    type Write = TaskWrite;
    type Output = Task;

    const RESOURCE: ResourceKind = ResourceKind::Tasks;

    fn is_empty(&self) -> bool {
        self.update.is_empty()
    }

    fn find_facts(&self, data: &FamilyData, user: &UserId) -> Option<TaskFacts> {
        data.find_task_facts(user, self.task, &self.update)
    }

    fn record(facts: &TaskFacts) -> &Task {
        &facts.task
    }

    fn decide(&self, facts: TaskFacts, user: &UserId, now: Timestamp) -> Verdict<TaskWrite> {
        self.update.clone().decide(facts, user, self.zone, now)
    }

    fn family_write(write: TaskWrite) -> FamilyWrite {
        FamilyWrite::Task(write)
    }

    fn output(write: TaskWrite) -> Task {
        write.task
    }
}

/// Updates a note.
pub(super) struct UpdateNote<'a> {
    pub(super) note: &'a NoteId,
    pub(super) update: NoteUpdate,
}

impl RecordChange for UpdateNote<'_> {
    type Facts = NoteFacts;
    type Record = Note;
    type Write = Note;
    type Output = Note;

    const RESOURCE: ResourceKind = ResourceKind::Notes;

    fn is_empty(&self) -> bool {
        self.update.is_empty()
    }

    fn find_facts(&self, data: &FamilyData, _: &UserId) -> Option<NoteFacts> {
        data.find_note_facts(self.note, &self.update)
    }

    fn record(facts: &NoteFacts) -> &Note {
        &facts.note
    }

    fn decide(&self, facts: NoteFacts, _: &UserId, now: Timestamp) -> Verdict<Note> {
        self.update.clone().decide(facts, now)
    }

    fn family_write(write: Note) -> FamilyWrite {
        FamilyWrite::Note(write)
    }

    fn output(write: Note) -> Note {
        write
    }
}

/// Deletes a note.
pub(super) struct DeleteNote<'a> {
    pub(super) note: &'a NoteId,
}

impl RecordChange for DeleteNote<'_> {
    type Facts = NoteFacts;
    type Record = Note;
    type Write = NoteId;
    type Output = ();

    const RESOURCE: ResourceKind = ResourceKind::Notes;

    /// The statement that deletes the note finds out whether the note exists.
    fn write_without_facts(&self) -> Option<NoteId> {
        Some(self.note.clone())
    }

    fn find_facts(&self, data: &FamilyData, _: &UserId) -> Option<NoteFacts> {
        data.find_note_facts(self.note, &NoteUpdate::default())
    }

    fn record(facts: &NoteFacts) -> &Note {
        &facts.note
    }

    fn decide(&self, facts: NoteFacts, _: &UserId, _: Timestamp) -> Verdict<NoteId> {
        Verdict::Write(facts.note.id)
    }

    fn family_write(write: NoteId) -> FamilyWrite {
        FamilyWrite::DeleteNote(write)
    }

    fn output(_: NoteId) {}
}

/// Implements [`WriteStorage`](crate::storage::WriteStorage). `$write` is the function that runs a
/// [`RecordWrite`](crate::storage::write_sequence::RecordWrite) on the storage.
macro_rules! impl_write_storage {
    ([$($generics:tt)*] $storage:ty, $write:path) => {
        #[async_trait::async_trait]
        impl$($generics)* $crate::storage::WriteStorage for $storage {
            async fn update_task(
                &self,
                author: &$crate::storage::Author,
                task: &$crate::id::TaskId,
                update: $crate::change::TaskUpdate,
                precondition: &$crate::Precondition,
                zone: &$crate::calendar::Zone,
                now: $crate::Timestamp,
            ) -> Result<$crate::storage::Update<$crate::resource::Task>, $crate::storage::StorageError> {
                let change = $crate::storage::record_changes::UpdateTask { task, update, zone };
                $write(self, &RecordWrite { author, change, precondition, now }).await
            }

            async fn update_note(
                &self,
                author: &$crate::storage::Author,
                note: &$crate::id::NoteId,
                update: $crate::change::NoteUpdate,
                precondition: &$crate::Precondition,
                now: $crate::Timestamp,
            ) -> Result<$crate::storage::Update<$crate::resource::Note>, $crate::storage::StorageError> {
                let change = $crate::storage::record_changes::UpdateNote { note, update };
                $write(self, &RecordWrite { author, change, precondition, now }).await
            }

            async fn delete_note(
                &self,
                author: &$crate::storage::Author,
                note: &$crate::id::NoteId,
                precondition: &$crate::Precondition,
                now: $crate::Timestamp,
            ) -> Result<$crate::storage::Update<()>, $crate::storage::StorageError> {
                let change = $crate::storage::record_changes::DeleteNote { note };
                $write(self, &RecordWrite { author, change, precondition, now }).await
            }
        }
    };
}

pub(super) use impl_write_storage;

//! Flaws of preconditions: what the sound storage is asked instead.

use family_api_core::change::{NoteChange, TaskUpdate};
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Note, Task, TaskFilter};
use family_api_core::storage::{Member, ReadStorage, StorageError};
use family_api_core::{EntityTag, Precondition};
use serde::Serialize;

use crate::broken::reads::tasks_of;
use crate::broken::{Broken, Flaw};

/// What becomes of a precondition.
pub(super) enum Asked {
    /// This is asked instead.
    Instead(Precondition),
    /// It counts as failed.
    Failed,
    /// A record that the write names is looked for first, and is not there.
    NamedNothing,
}

/// What is written, as far as preconditions are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Write {
    kind: Kind,
    /// Whether it names a record that is not there.
    names_nothing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Change,
    EmptyChange,
    Move,
    Deletion,
}

impl Broken {
    pub(super) async fn asked_of_task(
        &self,
        member: &Member,
        task: &TaskId,
        update: &TaskUpdate,
        precondition: &Precondition,
    ) -> Result<Asked, StorageError> {
        let tasks = tasks_of(self.sound.list_tasks(member, TaskFilter::All).await?.parse()?);
        let seen = tasks.into_iter().find(|other| other.id == *task);
        let bare = seen.clone().map(|task| Task { assignee: None, creator: None, ..task });
        let relatives = self.relatives(member);
        let write = Write {
            kind: match update {
                TaskUpdate::Move(_) => Kind::Move,
                TaskUpdate::Fields(_) if update.is_empty() => Kind::EmptyChange,
                TaskUpdate::Fields(_) => Kind::Change,
            },
            names_nothing: update.named_assignee().is_some_and(|id| relatives.iter().all(|other| other.user != *id)),
        };
        Ok(self.asked(seen.as_ref(), bare.as_ref(), write, precondition).await)
    }

    pub(super) async fn asked_of_note(
        &self,
        member: &Member,
        note: &NoteId,
        change: Option<&NoteChange>,
        precondition: &Precondition,
    ) -> Result<Asked, StorageError> {
        let notes = self.sound.list_notes(member).await?.parse()?;
        let seen = notes.into_iter().find(|other| other.id == *note);
        let bare = seen.clone().map(|note| Note { author: None, category: None, ..note });
        let kind = match change {
            None => Kind::Deletion,
            Some(change) if change.is_empty() => Kind::EmptyChange,
            Some(_) => Kind::Change,
        };
        let write = Write { kind, names_nothing: false };
        Ok(self.asked(seen.as_ref(), bare.as_ref(), write, precondition).await)
    }

    /// `seen` is the record as the member sees it, and `bare` without what stands beside its ids.
    async fn asked<R: Serialize>(
        &self,
        seen: Option<&R>,
        bare: Option<&R>,
        write: Write,
        precondition: &Precondition,
    ) -> Asked {
        let unasked = Asked::Instead(Precondition::None);
        let is_conditional = *precondition != Precondition::None;
        let holds = |record: Option<&R>| record.is_none_or(|record| precondition.holds(record).unwrap());
        match self.flaw {
            Some(Flaw::ForgetsPreconditionsOfMoves) if write.kind == Kind::Move => unasked,
            Some(Flaw::ForgetsPreconditionsOfDeletions) if write.kind == Kind::Deletion => unasked,
            Some(Flaw::ForgetsPreconditionsOfEmptyChanges) if write.kind == Kind::EmptyChange => unasked,
            Some(Flaw::FailsEveryPrecondition) if is_conditional && seen.is_some() => Asked::Failed,
            Some(Flaw::FailsPreconditionsOfMissingRecords) if is_conditional && seen.is_none() => Asked::Failed,
            Some(Flaw::KnowsNoStar) if is_conditional && names_all(precondition) => Asked::Failed,
            Some(Flaw::LooksForNamedRecordsFirst) if write.names_nothing => Asked::NamedNothing,
            Some(Flaw::TagsRecordsAsTheyAreStored) if !holds(bare) => Asked::Failed,
            Some(Flaw::ForgetsPreconditions | Flaw::TagsRecordsAsTheyAreStored) => unasked,
            Some(Flaw::AsksPreconditionsAndThenWrites) if !holds(seen) => Asked::Failed,
            Some(Flaw::AsksPreconditionsAndThenWrites) => {
                tokio::task::yield_now().await;
                unasked
            }
            _ => Asked::Instead(precondition.clone()),
        }
    }
}

fn names_all(precondition: &Precondition) -> bool {
    matches!(precondition, Precondition::Match(tags) if tags.matches_strong(&EntityTag::of(b"anything")))
}

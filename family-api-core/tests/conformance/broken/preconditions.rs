//! Flaws of preconditions: how a flaw changes the precondition of a write.

use family_api_core::change::{NoteChange, TaskUpdate};
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Note, Task, TaskFilter};
use family_api_core::storage::{Member, ReadStorage, StorageError};
use family_api_core::{EntityTag, Precondition};
use serde::Serialize;

use crate::broken::reads::tasks_of;
use crate::broken::{Broken, Flaw};

/// The precondition after a flaw was applied.
pub(super) enum FlawedPrecondition {
    /// The inner storage checks this precondition.
    Use(Precondition),
    /// The write fails with [`Update::PreconditionFailed`](family_api_core::storage::Update::PreconditionFailed).
    Failed,
    /// The write fails first because a referenced record does not exist.
    UnknownReference,
}

/// The facts about a write that flaws of preconditions depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Write {
    kind: Kind,
    /// Whether it references a record that does not exist.
    has_unknown_reference: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Change,
    EmptyChange,
    Move,
    Deletion,
}

impl Broken {
    pub(super) async fn flawed_task_precondition(
        &self,
        member: &Member,
        task: &TaskId,
        update: &TaskUpdate,
        precondition: &Precondition,
    ) -> Result<FlawedPrecondition, StorageError> {
        let tasks = tasks_of(self.inner.list_tasks(member, TaskFilter::All).await?.parse()?);
        let seen = tasks.into_iter().find(|other| other.id == *task);
        let bare = seen.clone().map(|task| Task { assignee: None, creator: None, ..task });
        let family_members = self.family_members(member);
        let write = Write {
            kind: match update {
                TaskUpdate::Move(_) => Kind::Move,
                TaskUpdate::Fields(_) if update.is_empty() => Kind::EmptyChange,
                TaskUpdate::Fields(_) => Kind::Change,
            },
            has_unknown_reference: update
                .named_assignee()
                .is_some_and(|id| family_members.iter().all(|other| other.user != *id)),
        };
        Ok(self.flawed_precondition(seen.as_ref(), bare.as_ref(), write, precondition).await)
    }

    pub(super) async fn flawed_note_precondition(
        &self,
        member: &Member,
        note: &NoteId,
        change: Option<&NoteChange>,
        precondition: &Precondition,
    ) -> Result<FlawedPrecondition, StorageError> {
        let notes = self.inner.list_notes(member).await?.parse()?;
        let seen = notes.into_iter().find(|other| other.id == *note);
        let bare = seen.clone().map(|note| Note { author: None, category: None, ..note });
        let kind = match change {
            None => Kind::Deletion,
            Some(change) if change.is_empty() => Kind::EmptyChange,
            Some(_) => Kind::Change,
        };
        let write = Write { kind, has_unknown_reference: false };
        Ok(self.flawed_precondition(seen.as_ref(), bare.as_ref(), write, precondition).await)
    }

    /// Applies the flaw. `seen` is the record as the member reads it, `bare` is without the people beside their ids.
    async fn flawed_precondition<R: Serialize>(
        &self,
        seen: Option<&R>,
        bare: Option<&R>,
        write: Write,
        precondition: &Precondition,
    ) -> FlawedPrecondition {
        let ignored = FlawedPrecondition::Use(Precondition::None);
        let is_conditional = *precondition != Precondition::None;
        let holds = |record: Option<&R>| record.is_none_or(|record| precondition.holds(record).unwrap());
        match self.flaw {
            Some(Flaw::IgnoresPreconditionsOfMoves) if write.kind == Kind::Move => ignored,
            Some(Flaw::IgnoresPreconditionsOfDeletions) if write.kind == Kind::Deletion => ignored,
            Some(Flaw::IgnoresPreconditionsOfEmptyChanges) if write.kind == Kind::EmptyChange => ignored,
            Some(Flaw::FailsEveryPrecondition) if is_conditional && seen.is_some() => FlawedPrecondition::Failed,
            Some(Flaw::FailsPreconditionsOfMissingRecords) if is_conditional && seen.is_none() => {
                FlawedPrecondition::Failed
            }
            Some(Flaw::RejectsAStar) if is_conditional && is_star(precondition) => FlawedPrecondition::Failed,
            Some(Flaw::ChecksReferencesBeforeThePrecondition) if write.has_unknown_reference => {
                FlawedPrecondition::UnknownReference
            }
            Some(Flaw::ComputesTagsOfTheStoredForm) if !holds(bare) => FlawedPrecondition::Failed,
            Some(Flaw::IgnoresPreconditions | Flaw::ComputesTagsOfTheStoredForm) => ignored,
            Some(Flaw::ChecksPreconditionsWithoutLock) if !holds(seen) => FlawedPrecondition::Failed,
            Some(Flaw::ChecksPreconditionsWithoutLock) => {
                tokio::task::yield_now().await;
                ignored
            }
            _ => FlawedPrecondition::Use(precondition.clone()),
        }
    }
}

fn is_star(precondition: &Precondition) -> bool {
    matches!(precondition, Precondition::Match(tags) if tags.matches_strong(&EntityTag::of(b"anything")))
}

//! Flaws of preconditions. A flaw replaces the precondition of a write before the write.

use family_api_core::change::{Editable, NoteUpdate, TaskUpdate};
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Note, Task, TaskFilter};
use family_api_core::storage::{Member, ReadStorage, StorageError};
use family_api_core::{EntityTag, Precondition};
use serde::Serialize;
use serde_json::json;

use crate::broken::reads::tasks_of;
use crate::broken::tasks::is_move;
use crate::broken::{BrokenStorage, Flaw};

/// The precondition after a flaw was applied.
pub(super) enum FlawedPrecondition {
    /// The inner storage checks this precondition.
    Use(Precondition),
    /// The write fails with [`Written::PreconditionFailed`](family_api_core::storage::Written::PreconditionFailed).
    Failed,
    /// The write fails first because a referenced record does not exist.
    UnknownReference,
}

/// The properties of a write on which flaws of preconditions depend.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Write {
    kind: Kind,
    /// Whether the write refers to a record that does not exist.
    has_unknown_reference: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Change,
    EmptyChange,
    Move,
    Deletion,
}

impl BrokenStorage {
    pub(super) async fn flawed_task_precondition(
        &self,
        member: &Member,
        task: &TaskId,
        update: &TaskUpdate,
        precondition: &Precondition,
    ) -> Result<FlawedPrecondition, StorageError> {
        let tasks = tasks_of(self.inner.list_tasks(member, TaskFilter::All).await?.parse()?);
        let visible_record = tasks.into_iter().find(|other| other.id == *task);
        let bare_record = visible_record.clone().map(|task| Task { assignee: None, creator: None, ..task });
        let family_members = self.family_members(member);
        let write = Write {
            kind: if Task::is_empty(update) {
                Kind::EmptyChange
            } else if is_move(&json!(update)) {
                Kind::Move
            } else {
                Kind::Change
            },
            has_unknown_reference: update
                .named_assignee()
                .is_some_and(|id| family_members.iter().all(|other| other.user != *id)),
        };
        Ok(self.flawed_precondition(visible_record.as_ref(), bare_record.as_ref(), write, precondition).await)
    }

    pub(super) async fn flawed_note_precondition(
        &self,
        member: &Member,
        note: &NoteId,
        update: Option<&NoteUpdate>,
        precondition: &Precondition,
    ) -> Result<FlawedPrecondition, StorageError> {
        let notes = self.inner.list_notes(member).await?.parse()?;
        let visible_record = notes.into_iter().find(|other| other.id == *note);
        let bare_record = visible_record.clone().map(|note| Note { author: None, category: None, ..note });
        let kind = match update {
            None => Kind::Deletion,
            Some(update) if Note::is_empty(update) => Kind::EmptyChange,
            Some(_) => Kind::Change,
        };
        let write = Write { kind, has_unknown_reference: false };
        Ok(self.flawed_precondition(visible_record.as_ref(), bare_record.as_ref(), write, precondition).await)
    }

    /// Applies the flaw. `visible_record` is the record as the member reads it. `bare_record` has the ids of related
    /// people and of the category, but not their names and other fields.
    async fn flawed_precondition<R: Serialize>(
        &self,
        visible_record: Option<&R>,
        bare_record: Option<&R>,
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
            Some(Flaw::FailsEveryPrecondition) if is_conditional && visible_record.is_some() => {
                FlawedPrecondition::Failed
            }
            Some(Flaw::FailsPreconditionsOfMissingRecords) if is_conditional && visible_record.is_none() => {
                FlawedPrecondition::Failed
            }
            Some(Flaw::RejectsIfMatchStar) if is_conditional && is_star(precondition) => FlawedPrecondition::Failed,
            Some(Flaw::ChecksReferencesBeforeThePrecondition) if write.has_unknown_reference => {
                FlawedPrecondition::UnknownReference
            }
            Some(Flaw::ComputesTagsWithoutRelatedRecords) if !holds(bare_record) => FlawedPrecondition::Failed,
            Some(Flaw::IgnoresPreconditions | Flaw::ComputesTagsWithoutRelatedRecords) => ignored,
            Some(Flaw::ChecksPreconditionsWithoutLock) if !holds(visible_record) => FlawedPrecondition::Failed,
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

//! Changes of family data, as a member of the family may make them.

use async_trait::async_trait;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::change::{BoardOwner, Destination, NoteChange, NoteFacts, TaskFacts, TaskUpdate, TaskWrite, Verdict};
use crate::id::{ColumnId, NoteId, TaskId};
use crate::resource::{Board, Note, Task};
use crate::storage::memory::MemoryStorage;
use crate::storage::memory::state::{Family, State};
use crate::storage::memory::view::View;
use crate::storage::{Member, StorageError, Update, Writes};

#[async_trait]
impl Writes for MemoryStorage {
    async fn update_task(
        &self,
        member: &Member,
        task: &TaskId,
        update: TaskUpdate,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Update<Task>, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(facts) = state.view(member).and_then(|view| view.task_facts(task, &update)) else {
            return Ok(Update::NotFound);
        };
        let is_empty = update.is_empty();
        Ok(match update.judge(facts, &member.user, zone, now) {
            Verdict::NotFound => Update::NotFound,
            Verdict::Refused(faults) => Update::Refused(faults),
            Verdict::Write(write) if is_empty => Update::Done(write.task),
            Verdict::Write(write) => {
                state.change(member, |family| family.write_task(&write));
                Update::Done(write.task)
            }
        })
    }

    async fn update_note(
        &self,
        member: &Member,
        note: &NoteId,
        change: NoteChange,
        now: Timestamp,
    ) -> Result<Update<Note>, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(facts) = state.view(member).and_then(|view| view.note_facts(note, &change)) else {
            return Ok(Update::NotFound);
        };
        let is_empty = change.is_empty();
        Ok(match change.judge(facts, now) {
            Verdict::NotFound => Update::NotFound,
            Verdict::Refused(faults) => Update::Refused(faults),
            Verdict::Write(note) if is_empty => Update::Done(note),
            Verdict::Write(note) => {
                state.change(member, |family| drop(family.notes.insert(note.id.clone(), note.clone())));
                Update::Done(note)
            }
        })
    }

    async fn delete_note(&self, member: &Member, note: &NoteId) -> Result<bool, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let there = state.view(member).is_some_and(|view| view.family.notes.contains_key(note));
        if there {
            state.change(member, |family| drop(family.notes.remove(note)));
        }
        Ok(there)
    }
}

impl View<'_> {
    fn task_facts(&self, task: &TaskId, update: &TaskUpdate) -> Option<TaskFacts> {
        let record = self.family.tasks.get(task).filter(|task| self.sees_task(task))?;
        let board = self.board_of(self.family.columns.get(&record.column_id)?)?;
        Some(TaskFacts {
            task: self.task(record),
            board: owner_of(board)?,
            destination: update.named_column().and_then(|column| self.destination(column, task)),
            assignee: self.person(update.named_assignee()),
        })
    }

    fn destination(&self, column: &ColumnId, task: &TaskId) -> Option<Destination> {
        let board = self.board_of(self.family.columns.get(column)?)?;
        let others = self.family.tasks.values().filter(|other| other.column_id == *column && other.id != *task);
        let highest = others.map(|other| other.order).max();
        Some(Destination {
            column: column.clone(),
            board: owner_of(board)?,
            end: highest.map_or(0, |order| order.saturating_add(1)),
        })
    }

    fn note_facts(&self, note: &NoteId, change: &NoteChange) -> Option<NoteFacts> {
        let note = self.note(self.family.notes.get(note)?);
        Some(NoteFacts { note, category: self.category(change.named_category()) })
    }
}

/// Whose the board is; `None` for a private board of nobody, which nobody sees.
fn owner_of(board: &Board) -> Option<BoardOwner> {
    if board.is_private { board.owner_user_id.clone().map(BoardOwner::User) } else { Some(BoardOwner::Family) }
}

impl State {
    /// Makes a change that members can see.
    fn change(&mut self, member: &Member, change: impl FnOnce(&mut Family)) {
        if let Some(family) = self.families.get_mut(&member.family) {
            change(family);
            family.revision += 1;
        }
    }
}

impl Family {
    fn write_task(&mut self, TaskWrite { task, makes_room }: &TaskWrite) {
        if *makes_room {
            self.make_room(task);
        }
        self.tasks.insert(task.id.clone(), task.clone());
    }

    /// Where another task stands at the task's place, every other one from there on goes one further.
    fn make_room(&mut self, task: &Task) {
        let is_other = |id: &TaskId, column: &ColumnId| *id != task.id && *column == task.column_id;
        let taken = self.tasks.values().any(|other| is_other(&other.id, &other.column_id) && other.order == task.order);
        if !taken {
            return;
        }
        for other in self.tasks.values_mut() {
            if is_other(&other.id, &other.column_id) && other.order >= task.order {
                other.order = other.order.saturating_add(1);
            }
        }
    }
}

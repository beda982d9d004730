//! Applies a change to rows in memory, after the rules have accepted it.

use crate::change::TaskWrite;
use crate::resource::Task;
use crate::storage::{FamilyData, FamilyWrite};

impl FamilyData {
    /// Applies the change to these rows.
    pub fn apply(&mut self, write: FamilyWrite) {
        match write {
            FamilyWrite::Task(write) => self.write_task(write),
            FamilyWrite::Note(note) => {
                self.notes.retain(|other| other.id != note.id);
                self.notes.push(note);
            }
            FamilyWrite::DeleteNote(note) => self.notes.retain(|other| other.id != note),
        }
    }

    fn write_task(&mut self, TaskWrite { task, makes_room }: TaskWrite) {
        if makes_room {
            self.make_room(&task);
        }
        self.tasks.retain(|other| other.id != task.id);
        self.tasks.push(task);
    }

    /// If another task of the column has the same `order`, adds 1 to the `order` of that task and of all tasks after
    /// it.
    fn make_room(&mut self, task: &Task) {
        let is_other = |other: &Task| other.id != task.id && other.column_id == task.column_id;
        if self.tasks.iter().any(|other| is_other(other) && other.order == task.order) {
            for other in self.tasks.iter_mut().filter(|other| is_other(other) && other.order >= task.order) {
                other.order = other.order.saturating_add(1);
            }
        }
    }
}

//! Applies writes to rows in memory, after the rules have accepted them.

#[cfg(doc)]
use crate::change::TaskWrite;
use crate::change::{Editable, Room, Spread};
use crate::for_each_kind;
use crate::id::Id;
use crate::resource::{RecordKind, Task};
use crate::storage::family_data::RowKind;
use crate::storage::{DeletedRecord, FamilyData, IdempotentAnswer, LoggedChange};

/// Declares [`FamilyWrite`] with a variant for each kind of record.
macro_rules! family_write {
    ($($method:ident: $Record:ident,)*) => {
        /// A write that a [`FamilyStore`](crate::storage::FamilyStore) must make. It gets only writes of operations
        /// that are in its [`Capabilities`](crate::storage::Capabilities). If [`TaskWrite::makes_room`] is set, it first
        /// makes [`Room`] for the task in the column.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum FamilyWrite {
            $(
                /// Inserts or replaces the record.
                $Record(<crate::resource::$Record as Editable>::Write),
            )*
            /// Deletes the record with this id. It contains no other record.
            Delete(RecordKind, String),
            /// Inserts or replaces a deleted record ([`FamilyData::deleted`]). Only a store that can restore records of
            /// the kind gets it.
            KeepDeleted(DeletedRecord),
            /// Removes the deleted record with this id.
            ForgetDeleted(RecordKind, String),
            /// Inserts the answer ([`FamilyData::answers`]), or replaces the answer with the same user and key. Comes
            /// before the write of the record, so a foreign key from the answer to the record must be deferred.
            KeepAnswer(IdempotentAnswer),
            /// Inserts a row of the log ([`FamilyData::changes`]). Only a store that
            /// [keeps changes](crate::storage::Capabilities::keeps_changes) gets it.
            Log(LoggedChange),
        }

        impl FamilyData {
            /// Applies the write to these rows.
            pub fn apply(&mut self, write: FamilyWrite) {
                match write {
                    $(FamilyWrite::$Record(write) => self.replace::<crate::resource::$Record>(write),)*
                    FamilyWrite::Delete(kind, id) => match kind {
                        $(RecordKind::$Record => self.delete::<crate::resource::$Record>(&id),)*
                    },
                    FamilyWrite::KeepDeleted(deleted) => {
                        self.forget_deleted(deleted.kind, &deleted.id);
                        self.deleted.push(deleted);
                    }
                    FamilyWrite::ForgetDeleted(kind, id) => self.forget_deleted(kind, &id),
                    FamilyWrite::KeepAnswer(answer) => {
                        self.answers.retain(|other| (&other.user_id, &other.key) != (&answer.user_id, &answer.key));
                        self.answers.push(answer);
                    }
                    FamilyWrite::Log(change) => self.changes.push(change),
                }
            }
        }
    };
}

for_each_kind!(family_write);

impl FamilyData {
    fn replace<R: RowKind>(&mut self, write: R::Write) {
        R::make_room(self, &write);
        let record = R::output(write);
        let rows = R::rows_mut(self);
        rows.retain(|other| other.id() != record.id());
        rows.push(record);
    }

    fn delete<R: RowKind>(&mut self, id: &str) {
        R::rows_mut(self).retain(|other| other.id().text() != id);
    }

    fn forget_deleted(&mut self, kind: RecordKind, id: &str) {
        self.deleted.retain(|other| (other.kind, other.id.as_str()) != (kind, id));
    }

    /// Returns the tasks that [`make_room`](Self::make_room) shifts. `None` if it spreads tasks.
    pub(super) fn shifted(&self, task: &Task) -> Option<Vec<&Task>> {
        let is_following =
            |other: &&Task| other.id != task.id && other.column_id == task.column_id && other.order >= task.order;
        let mut following: Vec<_> = self.tasks.iter().filter(is_following).collect();
        following.sort_by_key(|other| (other.order, &other.id));
        match Room::at(task.order, following.iter().map(|other| other.order)) {
            Room::Free => Some(Vec::new()),
            Room::Shift { last } => {
                following.retain(|other| other.order <= last);
                Some(following)
            }
            Room::Spread => None,
        }
    }

    /// Makes [`Room`] in the column of a task.
    pub(super) fn make_room(&mut self, task: &Task) {
        let is_following =
            |other: &&mut Task| other.id != task.id && other.column_id == task.column_id && other.order >= task.order;
        let mut following: Vec<_> = self.tasks.iter_mut().filter(is_following).collect();
        following.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        match Room::at(task.order, following.iter().map(|other| other.order)) {
            Room::Free => {}
            Room::Shift { last } => {
                following.iter_mut().filter(|other| other.order <= last).for_each(|other| other.order += 1);
            }
            Room::Spread => {
                let orders: Vec<_> = following.iter().map(|other| other.order).collect();
                let spread = Spread::of(task.order, &orders);
                for (number, other) in (1..=spread.tasks).zip(following) {
                    other.order = spread.order(number, other.order);
                }
            }
        }
    }
}

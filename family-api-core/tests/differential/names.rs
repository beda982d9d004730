//! Unique names per run. Several runs share a storage, so each run prefixes its ids, addresses and tokens.

use family_api_core::change::{Field, Reference, TaskUpdate};
use family_api_core::id::{
    BoardId, CategoryId, ColumnId, EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId,
};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Member, Record};

use crate::step::{Operation, Step, Token};

/// A value that contains names. All get the same prefix, so that their order is kept.
pub(crate) trait Named {
    fn prefix(&mut self, run: &str);
}

macro_rules! ids {
    ($($id:ident)+) => {$(
        impl Named for $id {
            fn prefix(&mut self, run: &str) {
                *self = format!("{run}{self}").parse().unwrap();
            }
        }
    )+};
}

ids! { BoardId CategoryId ColumnId EventId FamilyId ItemId KeyId ListId NoteId TaskId UserId }

impl Named for String {
    fn prefix(&mut self, run: &str) {
        self.insert_str(0, run);
    }
}

impl Named for Token {
    fn prefix(&mut self, run: &str) {
        self.0.prefix(run);
    }
}

impl<T: Named> Named for Option<T> {
    fn prefix(&mut self, run: &str) {
        if let Some(named) = self {
            named.prefix(run);
        }
    }
}

impl<T: Named> Named for Vec<T> {
    fn prefix(&mut self, run: &str) {
        for named in self {
            named.prefix(run);
        }
    }
}

impl<T: Named> Named for Field<Reference<T>> {
    fn prefix(&mut self, run: &str) {
        if let Self::Set(reference) = self {
            reference.prefix(run);
        }
    }
}

impl<T: Named> Named for Reference<T> {
    fn prefix(&mut self, run: &str) {
        if let Self::To(id) = self {
            id.prefix(run);
        }
    }
}

impl Named for Member {
    fn prefix(&mut self, run: &str) {
        all(run, &mut [&mut self.user, &mut self.family]);
    }
}

impl Named for Record {
    fn prefix(&mut self, run: &str) {
        match self {
            Self::Family(family) => family.id.prefix(run),
            Self::User(user) => all(run, &mut [&mut user.id, &mut user.family_id, &mut user.email]),
            Self::Key(key) => {
                key.token_hash = digest(run, &key.hint);
                all(run, &mut [&mut key.id, &mut key.user_id]);
            }
            Self::NoteCategory(category) => {
                all(run, &mut [&mut category.id, &mut category.family_id, &mut category.parent_id]);
            }
            Self::Board(board) => all(run, &mut [&mut board.id, &mut board.family_id, &mut board.owner_user_id]),
            Self::Column(column) => all(run, &mut [&mut column.id, &mut column.board_id]),
            Self::Task(task) => {
                all(run, &mut [&mut task.id, &mut task.column_id, &mut task.assignee_id, &mut task.creator_id]);
            }
            Self::Event(event) => all(run, &mut [&mut event.id, &mut event.family_id, &mut event.assignee_id]),
            Self::ShoppingList(list) => all(run, &mut [&mut list.id, &mut list.family_id, &mut list.owner_user_id]),
            Self::ShoppingItem(item) => all(run, &mut [&mut item.id, &mut item.list_id, &mut item.added_by_id]),
            Self::Note(note) => {
                all(run, &mut [&mut note.id, &mut note.family_id, &mut note.author_id, &mut note.category_id]);
            }
        }
    }
}

impl Named for Step {
    fn prefix(&mut self, run: &str) {
        match &mut self.operation {
            Operation::ListTasks(member, _)
            | Operation::ListEvents(member, _)
            | Operation::ListShopping(member)
            | Operation::ListNotes(member)
            | Operation::FindTaskStats(member, _) => member.prefix(run),
            Operation::UpdateTask(member, task, update, ..) => all(run, &mut [member, task, &mut **update]),
            Operation::UpdateNote(member, note, change, _) => all(run, &mut [member, note, &mut change.category]),
            Operation::DeleteNote(member, note, _) => all(run, &mut [member, note]),
            Operation::FindAccount(user)
            | Operation::FindProfile(user)
            | Operation::UpdateProfile(user, _)
            | Operation::ListKeys(user) => user.prefix(run),
            Operation::InsertKey(new, _) => {
                new.digest = digest(run, &new.key.hint);
                all(run, &mut [&mut new.key.id, &mut new.owner.user]);
            }
            Operation::RecordUses(tokens, _) => tokens.prefix(run),
            Operation::RevokeKey(user, key) => all(run, &mut [user, key]),
            Operation::FindPassword(email) | Operation::UpdatePassword(email, _) => email.prefix(run),
            Operation::InsertSession(new) => all(run, &mut [&mut new.token, &mut new.user]),
            Operation::FindKey(token) | Operation::FindSession(token) | Operation::DeleteSession(token) => {
                token.prefix(run);
            }
            Operation::Load(records) => records.prefix(run),
        }
    }
}

impl Named for TaskUpdate {
    fn prefix(&mut self, run: &str) {
        match self {
            Self::Fields(change) => all(run, &mut [&mut change.column, &mut change.assignee]),
            Self::Move(to) => to.column.prefix(run),
        }
    }
}

fn all(run: &str, named: &mut [&mut dyn Named]) {
    for named in named {
        named.prefix(run);
    }
}

/// Computes the digest from the hint, which is the plaintext here: a printed sequence shows hints, but not digests.
fn digest(run: &str, hint: &str) -> KeyDigest {
    KeyDigest::of(&[run, hint].concat())
}

//! A model of the HTTP reference: the results that every storage must return.
//!
//! It is written from the text of the reference alone. It uses none of the rules in the crate, so that it detects their
//! faults. Each kind of record is one list for all families. The model is not optimized.

mod documents;
mod keys;
mod load;
mod notes;
mod sign_in;
mod tasks;
mod users;

pub(crate) use documents::MemberView;
pub(crate) use keys::mode_of;

use std::collections::HashMap;

use family_api_core::access::Refusal;
use family_api_core::id::{BoardId, ColumnId, FamilyId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FamilyRecord, KeyRecord, Member, NoteRecord, Session,
    ShoppingItemRecord, ShoppingListRecord, TaskRecord, UserRecord,
};
use family_api_core::{Precondition, Timestamp};

use crate::answer::Answer;
use crate::step::{Operation, Step};

/// The contents of a storage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) families: Vec<FamilyRecord>,
    pub(crate) users: Vec<UserRecord>,
    pub(crate) keys: Vec<KeyRecord>,
    pub(crate) categories: Vec<CategoryRecord>,
    pub(crate) boards: Vec<BoardRecord>,
    pub(crate) columns: Vec<ColumnRecord>,
    pub(crate) tasks: Vec<TaskRecord>,
    pub(crate) events: Vec<EventRecord>,
    pub(crate) lists: Vec<ShoppingListRecord>,
    pub(crate) items: Vec<ShoppingItemRecord>,
    pub(crate) notes: Vec<NoteRecord>,
    pub(crate) sessions: Vec<Session>,
    /// The last use of keys.
    pub(crate) uses: HashMap<KeyDigest, Timestamp>,
    /// The number of writes. Refused changes, empty changes and uses of keys do not count.
    pub(crate) writes: usize,
}

impl Model {
    /// Applies the step to the model. Returns the expected result.
    pub(crate) fn apply(&mut self, step: &Step) -> Answer {
        let now = step.at;
        if let Some(denied) = self.denied(&step.operation) {
            return denied;
        }
        match &step.operation {
            Operation::ListTasks(member, filter) => Answer::document(&self.boards(member, *filter)),
            Operation::ListEvents(member, range) => Answer::document(&self.events(member, range)),
            Operation::ListShopping(member) => Answer::document(&self.lists(member)),
            Operation::ListNotes(member) => Answer::document(&self.notes(member)),
            Operation::FindTaskStats(member, periods) => Answer::Stats(self.task_stats(member, periods), None),
            Operation::UpdateTask(member, task, update, if_match, zone) => {
                self.update_task(member, task, update, *if_match, zone, now)
            }
            Operation::UpdateNote(member, note, change, if_match) => {
                self.update_note(member, note, change, *if_match, now)
            }
            Operation::DeleteNote(member, note, if_match) => self.delete_note(member, note, *if_match),
            Operation::FindAccount(user) => Answer::Account(self.account(user)),
            Operation::FindProfile(user) => Answer::Profile(self.profile(user)),
            Operation::UpdateProfile(user, change) => Answer::Profile(self.update_profile(user, change, now)),
            Operation::InsertKey(new, limit) => self.insert_key(new, *limit),
            Operation::FindKey(token) => Answer::Key(self.find_key(&token.digest())),
            Operation::ListKeys(user) => Answer::Keys(self.list_keys(user, now)),
            Operation::RevokeKey(user, key) => Answer::KeyRevocation(self.revoke_key(user, key, now)),
            Operation::RecordUses(tokens, at) => self.record_uses(tokens, *at),
            Operation::FindPassword(email) => Answer::Password(self.find_password(email)),
            Operation::UpdatePassword(email, password) => Answer::Flag(self.update_password(email, password)),
            Operation::InsertSession(new) => Answer::Flag(self.insert_session(new, now)),
            Operation::FindSession(token) => Answer::User(self.find_session(&token.digest(), now)),
            Operation::DeleteSession(token) => Answer::Flag(self.delete_session(&token.digest())),
            Operation::Load(records) => self.load(records),
        }
    }

    /// Returns the expected result if the author does not exist or is not in the family.
    fn denied(&self, operation: &Operation) -> Option<Answer> {
        let (Operation::UpdateTask(member, ..) | Operation::UpdateNote(member, ..) | Operation::DeleteNote(member, ..)) =
            operation
        else {
            return None;
        };
        match self.user(&member.user) {
            None => Some(Answer::Unauthorized(Refusal::UserGone)),
            Some(user) => (user.family_id.as_ref() != Some(&member.family)).then_some(Answer::NotFound),
        }
    }

    /// Returns the precondition of a write.
    pub(crate) fn precondition(&self, operation: &Operation) -> Precondition {
        match operation {
            Operation::UpdateTask(member, id, _, if_match, _) => {
                let seen = self.tasks.iter().find(|task| task.id == *id && self.can_see_task(member, task));
                if_match.precondition(&seen.map(|task| self.task(member, task)))
            }
            Operation::UpdateNote(member, id, _, if_match) | Operation::DeleteNote(member, id, if_match) => {
                let seen = self.notes.iter().find(|note| note.id == *id && note.family_id == member.family);
                if_match.precondition(&seen.map(|note| self.note(member, note)))
            }
            _ => Precondition::None,
        }
    }

    /// Returns every member of every family.
    pub(crate) fn members(&self) -> Vec<Member> {
        let member = |user: &UserRecord| Some(Member { user: user.id.clone(), family: user.family_id.clone()? });
        self.users.iter().filter_map(member).collect()
    }

    fn user(&self, id: &UserId) -> Option<&UserRecord> {
        self.users.iter().find(|user| user.id == *id)
    }

    /// Returns the user if they are a member of the family.
    fn relative(&self, id: &UserId, family: &FamilyId) -> Option<&UserRecord> {
        self.user(id).filter(|user| user.family_id.as_ref() == Some(family))
    }

    fn board(&self, id: &BoardId) -> Option<&BoardRecord> {
        self.boards.iter().find(|board| board.id == *id)
    }

    /// Returns the board of a column if it is visible to the member.
    fn board_of(&self, column: &ColumnId, member: &Member) -> Option<&BoardRecord> {
        let column = self.columns.iter().find(|other| other.id == *column)?;
        self.board(&column.board_id).filter(|board| can_see_board(member, board))
    }
}

/// Builds the resource of a record from the fields of the record and computed ones.
macro_rules! shape {
    ($shape:ident of $record:ident: $($own:ident)+; $($made:ident = $value:expr),*) => {
        $shape { $($own: $record.$own.clone(),)+ $($made: $value,)* }
    };
}

use shape;

/// Private records are visible only to their owner.
fn sees(member: &Member, is_private: bool, owner: Option<&UserId>) -> bool {
    !is_private || owner == Some(&member.user)
}

fn can_see_board(member: &Member, board: &BoardRecord) -> bool {
    board.family_id == member.family && sees(member, board.is_private, board.owner_user_id.as_ref())
}

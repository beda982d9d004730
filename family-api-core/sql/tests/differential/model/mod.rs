//! A model of the HTTP reference: the results that every storage must return.
//!
//! The model is written from the text of the reference alone. It uses none of the rules in the crate, so that it
//! detects faults in these rules. Each kind of record is one list for all families. The model is not optimized.

mod containers;
mod documents;
mod keys;
mod load;
mod occurrences;
mod records;
mod rows;
mod sign_in;
mod tasks;
mod users;

pub(crate) use documents::{MemberView, RecordKey, SeenRecords, bare};
pub(crate) use keys::mode_of;
pub(crate) use records::{Answer, key_of};

use std::borrow::Cow;
use std::collections::HashMap;

use family_api_core::access::Refusal;
use family_api_core::id::{BoardId, ColumnId, FamilyId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::resource::RecordKind;
use family_api_core::storage::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FamilyRecord, KeyRecord, Member, NoteRecord, Record,
    Session, ShoppingItemRecord, ShoppingListRecord, TaskRecord, UserRecord,
};
use family_api_core::{Precondition, Timestamp};

use crate::step::{Operation, Step};
use crate::step_result::StepResult;

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
    /// The deleted records that can be restored.
    pub(crate) deleted: Vec<Record>,
    /// The answers to creations with an idempotency key.
    pub(crate) answers: Vec<Answer>,
    /// The time of the last use of each key.
    pub(crate) uses: HashMap<KeyDigest, Timestamp>,
    /// The number of writes. Refused changes, changes without a new value and uses of keys do not count.
    pub(crate) writes: usize,
    /// The number of moves that made gaps between tasks.
    pub(crate) gaps: usize,
}

impl Model {
    /// Applies the step to the model. Returns the expected result.
    pub(crate) fn apply(&mut self, step: &Step) -> StepResult {
        let now = step.at;
        if let Some(error) = self.author_error(&step.operation) {
            return error;
        }
        match &step.operation {
            Operation::ListTasks(member, filter) => StepResult::document(&self.seen_by(member).boards(member, *filter)),
            Operation::ListEvents(member, range) => StepResult::document(&self.seen_by(member).events(member, range)),
            Operation::ListOverlappingEvents(member, range) => {
                StepResult::document(&self.seen_by(member).overlapping_events(member, range))
            }
            Operation::ListMembers(member) => StepResult::document(&self.seen_by(member).people(member)),
            Operation::ListShopping(member) => StepResult::document(&self.seen_by(member).lists(member)),
            Operation::ListNotes(member) => StepResult::document(&self.seen_by(member).notes(member)),
            Operation::FindTaskStats(member, periods) => {
                StepResult::Stats(self.seen_by(member).task_stats(member, periods), None)
            }
            Operation::Write(member, kind, write) => self.write(member, *kind, write, now),
            Operation::ChangeOccurrence(member, write) => self.change_occurrence(member, write, now),
            Operation::DeleteCheckedItems(member, list) => self.delete_checked_items(member, list),
            Operation::FindAccount(user) => StepResult::Account(self.account(user)),
            Operation::FindProfile(user) => StepResult::Profile(self.profile(user)),
            Operation::UpdateProfile(user, change) => StepResult::Profile(self.update_profile(user, change, now)),
            Operation::InsertKey(new, limit) => self.insert_key(new, *limit),
            Operation::FindKey(token) => StepResult::Key(self.find_key(&token.digest())),
            Operation::ListKeys(user) => StepResult::Keys(self.list_keys(user, now)),
            Operation::RevokeKey(user, key) => StepResult::KeyRevocation(self.revoke_key(user, key, now)),
            Operation::RecordUses(tokens, at) => self.record_uses(tokens, *at),
            Operation::FindPassword(email) => StepResult::Password(self.find_password(email)),
            Operation::UpdatePassword(user, password) => StepResult::Flag(self.update_password(user, password)),
            Operation::InsertSession(new) => StepResult::Flag(self.insert_session(new, now)),
            Operation::FindSession(token) => StepResult::User(self.find_session(&token.digest(), now)),
            Operation::DeleteSession(token) => StepResult::Flag(self.delete_session(&token.digest())),
            Operation::Load(records) => self.load(records),
        }
    }

    /// Returns nothing to read for a user who is not in the family.
    fn seen_by(&self, member: &Member) -> Cow<'_, Self> {
        match self.family_member(&member.user, &member.family) {
            Some(_) => Cow::Borrowed(self),
            None => Cow::Owned(Self::default()),
        }
    }

    /// Returns the expected result if the author does not exist or is not in the family.
    fn author_error(&self, operation: &Operation) -> Option<StepResult> {
        let (Operation::Write(member, ..)
        | Operation::ChangeOccurrence(member, _)
        | Operation::DeleteCheckedItems(member, _)) = operation
        else {
            return None;
        };
        match self.user(&member.user) {
            None => Some(StepResult::Unauthorized(Refusal::UserGone)),
            Some(user) => (user.family_id.as_ref() != Some(&member.family)).then_some(StepResult::NotFound),
        }
    }

    /// Returns the precondition of a write. Other operations have no precondition.
    pub(crate) fn precondition(&self, operation: &Operation) -> Precondition {
        match operation {
            Operation::Write(member, kind, write) => {
                self.record_precondition(member, *kind, &write.id, write.if_match())
            }
            Operation::ChangeOccurrence(member, write) => {
                self.record_precondition(member, RecordKind::Event, &write.id, write.if_match)
            }
            _ => Precondition::None,
        }
    }

    /// Returns every member of every family.
    pub(crate) fn members(&self) -> Vec<Member> {
        let member = |user: &UserRecord| Some(Member { user: user.id.clone(), family: user.family_id.clone()? });
        self.users.iter().filter_map(member).collect()
    }

    /// Returns whether two families have tasks with the same id.
    pub(crate) fn has_equal_ids_in_two_families(&self) -> bool {
        let is_equal = |one: &TaskRecord, other: &TaskRecord| one.id == other.id && one.family_id != other.family_id;
        self.tasks.iter().any(|one| self.tasks.iter().any(|other| is_equal(one, other)))
    }

    fn user(&self, id: &UserId) -> Option<&UserRecord> {
        self.users.iter().find(|user| user.id == *id)
    }

    /// Returns the user if they are a member of the family.
    fn family_member(&self, id: &UserId, family: &FamilyId) -> Option<&UserRecord> {
        self.user(id).filter(|user| user.family_id.as_ref() == Some(family))
    }

    fn board(&self, id: &BoardId, family: &FamilyId) -> Option<&BoardRecord> {
        self.boards.iter().find(|board| board.id == *id && board.family_id == *family)
    }

    /// Returns the board of a column if the board is visible to the member.
    fn board_of(&self, column: &ColumnId, member: &Member) -> Option<&BoardRecord> {
        let column = self.columns.iter().find(|other| other.id == *column && other.family_id == member.family)?;
        self.board(&column.board_id, &member.family).filter(|board| can_see_board(member, board))
    }
}

/// Builds a resource: copies the first fields from the record, and computes the fields after the semicolon.
macro_rules! build_resource {
    ($resource:ident of $record:ident: $($copied:ident)+; $($computed:ident = $value:expr),*) => {
        $resource { $($copied: $record.$copied.clone(),)+ $($computed: $value,)* }
    };
}

use build_resource;

/// Returns whether a member can see a record of the family. A private record is visible only to its owner.
fn can_see(member: &Member, is_private: bool, owner: Option<&UserId>) -> bool {
    !is_private || owner == Some(&member.user)
}

fn can_see_board(member: &Member, board: &BoardRecord) -> bool {
    board.family_id == member.family && can_see(member, board.is_private, board.owner_user_id.as_ref())
}

//! Makes ids, e-mail addresses and tokens unique. Several runs share a storage, so each run adds a prefix to them.

use family_api_core::id::{
    BoardId, CategoryId, ColumnId, EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId,
};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Member, Record};
use serde_json::{Value, json};

use crate::generate::record::record_of;
use crate::step::{Action, Body, Operation, Step, Token};

/// A value that contains ids, addresses or tokens. All values of a run get the same prefix, so their sort order does
/// not change.
pub(crate) trait AddPrefix {
    fn add_prefix(&mut self, prefix: &str);
}

macro_rules! ids {
    ($($id:ident)+) => {$(
        impl AddPrefix for $id {
            fn add_prefix(&mut self, prefix: &str) {
                *self = format!("{prefix}{self}").parse().unwrap();
            }
        }
    )+};
}

ids! { BoardId CategoryId ColumnId EventId FamilyId ItemId KeyId ListId NoteId TaskId UserId }

impl AddPrefix for String {
    fn add_prefix(&mut self, prefix: &str) {
        self.insert_str(0, prefix);
    }
}

impl AddPrefix for Token {
    fn add_prefix(&mut self, prefix: &str) {
        self.0.add_prefix(prefix);
    }
}

impl<T: AddPrefix> AddPrefix for Option<T> {
    fn add_prefix(&mut self, prefix: &str) {
        if let Some(value) = self {
            value.add_prefix(prefix);
        }
    }
}

impl<T: AddPrefix> AddPrefix for Vec<T> {
    fn add_prefix(&mut self, prefix: &str) {
        for value in self {
            value.add_prefix(prefix);
        }
    }
}

/// Adds the prefix to the ids in the body of an update.
impl AddPrefix for Body {
    fn add_prefix(&mut self, prefix: &str) {
        for field in ["columnId", "assigneeId", "categoryId", "listId"] {
            if let Some(Value::String(id)) = self.get_mut(field) {
                id.add_prefix(prefix);
            }
        }
        add_to_participants(self, prefix);
    }
}

impl AddPrefix for Member {
    fn add_prefix(&mut self, prefix: &str) {
        prefix_all(prefix, &mut [&mut self.user, &mut self.family]);
    }
}

/// The fields of a line with an id or an e-mail address.
const ID_FIELDS: [&str; 14] = [
    "id",
    "familyId",
    "userId",
    "parentId",
    "boardId",
    "columnId",
    "listId",
    "categoryId",
    "ownerUserId",
    "assigneeId",
    "creatorId",
    "addedById",
    "authorId",
    "email",
];

impl AddPrefix for Record {
    fn add_prefix(&mut self, prefix: &str) {
        let mut line = json!(self);
        for field in ID_FIELDS {
            if let Some(Value::String(id)) = line.get_mut(field) {
                id.add_prefix(prefix);
            }
        }
        add_to_participants(&mut line, prefix);
        for change in line.get_mut("overrides").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(Value::String(id)) = change.get_mut("assigneeId") {
                id.add_prefix(prefix);
            }
            add_to_participants(change, prefix);
        }
        *self = record_of(line);
        if let Self::Key(key) = self {
            key.digest = digest(prefix, &key.hint);
        }
    }
}

/// Adds the prefix to the users who take part in an event.
fn add_to_participants(fields: &mut Value, prefix: &str) {
    for id in fields.get_mut("participantIds").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::String(id) = id {
            id.add_prefix(prefix);
        }
    }
}

impl AddPrefix for Step {
    fn add_prefix(&mut self, prefix: &str) {
        match &mut self.operation {
            Operation::ListTasks(member, _)
            | Operation::ListEvents(member, _)
            | Operation::ListOverlappingEvents(member, _)
            | Operation::ListMembers(member)
            | Operation::ListShopping(member)
            | Operation::ListNotes(member)
            | Operation::FindTaskStats(member, _) => member.add_prefix(prefix),
            Operation::Write(member, _, write) => {
                prefix_all(prefix, &mut [member, &mut write.id]);
                match &mut write.action {
                    Action::Create { container, body, .. } => prefix_all(prefix, &mut [container, body]),
                    Action::Update(body, _) => body.add_prefix(prefix),
                    Action::Delete(_) | Action::Restore => {}
                }
            }
            Operation::ChangeOccurrence(member, write) => {
                prefix_all(prefix, &mut [member, &mut write.id, &mut write.new_id]);
            }
            Operation::DeleteCheckedItems(member, list) => prefix_all(prefix, &mut [member, list]),
            Operation::FindAccount(user)
            | Operation::FindProfile(user)
            | Operation::UpdateProfile(user, _)
            | Operation::UpdatePassword(user, _)
            | Operation::ListKeys(user) => user.add_prefix(prefix),
            Operation::InsertKey(new, _) => {
                new.digest = digest(prefix, &new.key.hint);
                prefix_all(prefix, &mut [&mut new.key.id, &mut new.owner.user]);
            }
            Operation::RecordUses(tokens, _) => tokens.add_prefix(prefix),
            Operation::RevokeKey(user, key) => prefix_all(prefix, &mut [user, key]),
            Operation::FindPassword(email) => email.add_prefix(prefix),
            Operation::InsertSession(new) => prefix_all(prefix, &mut [&mut new.token, &mut new.user]),
            Operation::FindKey(token) | Operation::FindSession(token) | Operation::DeleteSession(token) => {
                token.add_prefix(prefix);
            }
            Operation::Load(records) => records.add_prefix(prefix),
        }
    }
}

fn prefix_all(prefix: &str, values: &mut [&mut dyn AddPrefix]) {
    for value in values {
        value.add_prefix(prefix);
    }
}

/// Computes the digest of a key from the hint of the key. In these tests the hint is the plaintext token, because
/// failure reports print hints but no digests.
fn digest(prefix: &str, hint: &str) -> KeyDigest {
    KeyDigest::of(&[prefix, hint].concat())
}

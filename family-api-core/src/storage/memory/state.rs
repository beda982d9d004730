//! What the storage holds: users, keys and sessions, and each family's data apart from every other's.

use std::collections::BTreeMap;

use crate::Timestamp;
use crate::id::{BoardId, CategoryId, ColumnId, EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId};
use crate::key::{IntegrationKey, KeyDigest};
use crate::resource::{Board, Column, Event, Note, NoteCategory, Profile, Revision, ShoppingItem, ShoppingList, Task};
use crate::storage::{Account, KeyState, Membership, Session, UserRecord};

#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) users: BTreeMap<UserId, UserRecord>,
    pub(super) keys: BTreeMap<KeyId, StoredKey>,
    pub(super) sessions: Vec<Session>,
    pub(super) families: BTreeMap<FamilyId, Family>,
}

#[derive(Debug, Clone)]
pub(super) struct StoredKey {
    pub(super) key: IntegrationKey,
    pub(super) user: UserId,
    pub(super) digest: KeyDigest,
    pub(super) state: KeyState,
}

/// The data of one family; every change of it counts the revision up.
///
/// What contains others is empty here, and what stands beside the id of a person or a category counts for nothing: a
/// view fills both in.
#[derive(Debug, Clone, Default)]
pub(super) struct Family {
    pub(super) revision: i64,
    pub(super) categories: BTreeMap<CategoryId, NoteCategory>,
    pub(super) boards: BTreeMap<BoardId, Board>,
    pub(super) columns: BTreeMap<ColumnId, Column>,
    pub(super) tasks: BTreeMap<TaskId, Task>,
    pub(super) events: BTreeMap<EventId, Event>,
    pub(super) lists: BTreeMap<ListId, ShoppingList>,
    pub(super) items: BTreeMap<ItemId, ShoppingItem>,
    pub(super) notes: BTreeMap<NoteId, Note>,
}

impl State {
    pub(super) fn account(&self, user: &UserId) -> Option<Account> {
        let user = self.users.get(user)?;
        let zone = user.time_zone.clone();
        let membership = user.family_id.as_ref().map(|family| self.membership(family));
        Some(Account { user: user.id.clone(), membership, personal_api_enabled: user.personal_api_enabled, zone })
    }

    fn membership(&self, family: &FamilyId) -> Membership {
        let revision = self.families.get(family).map(|family| Revision::new(family.revision));
        Membership { family: family.clone(), revision }
    }

    pub(super) fn profile(&self, user: &UserId) -> Option<Profile> {
        self.users.get(user).cloned().map(Profile::from)
    }
}

impl StoredKey {
    pub(super) fn is_active(&self, now: Timestamp) -> bool {
        self.state == KeyState::Active && self.key.is_current(now)
    }
}

//! What the storage holds: users, keys and sessions, and each family's data apart from every other's.

use std::collections::BTreeMap;

use crate::Timestamp;
use crate::id::{BoardId, CategoryId, ColumnId, EventId, FamilyId, ItemId, KeyId, ListId, NoteId, TaskId, UserId};
use crate::key::{IntegrationKey, KeyDigest};
use crate::resource::{Profile, Revision};
use crate::storage::{
    Account, BoardRecord, CategoryRecord, ColumnRecord, EventRecord, KeyState, Membership, NoteRecord, Session,
    ShoppingItemRecord, ShoppingListRecord, TaskRecord, UserRecord,
};

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
#[derive(Debug, Clone, Default)]
pub(super) struct Family {
    pub(super) revision: i64,
    pub(super) categories: BTreeMap<CategoryId, CategoryRecord>,
    pub(super) boards: BTreeMap<BoardId, BoardRecord>,
    pub(super) columns: BTreeMap<ColumnId, ColumnRecord>,
    pub(super) tasks: BTreeMap<TaskId, TaskRecord>,
    pub(super) events: BTreeMap<EventId, EventRecord>,
    pub(super) lists: BTreeMap<ListId, ShoppingListRecord>,
    pub(super) items: BTreeMap<ItemId, ShoppingItemRecord>,
    pub(super) notes: BTreeMap<NoteId, NoteRecord>,
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
        let user = self.users.get(user)?.clone();
        Some(Profile {
            id: user.id,
            name: user.name,
            email: user.email,
            image: user.image,
            color: user.color,
            emoji: user.emoji,
            family_id: user.family_id,
            display_currency: user.display_currency,
            time_zone: user.time_zone,
            personal_api_enabled: user.personal_api_enabled,
            llm_model: user.llm_model,
            llm_key_configured: user.llm_key_configured,
        })
    }
}

impl StoredKey {
    pub(super) fn is_active(&self, now: Timestamp) -> bool {
        self.state == KeyState::Active && self.key.is_current(now)
    }
}

//! The stored data: users, keys, sessions, and the data of each family.

use std::collections::{BTreeMap, BTreeSet};

use crate::feeds::{CalendarId, StoredFeed};
use crate::grant_entry::GrantEntry;
use family_api_core::Timestamp;
use family_api_core::access::{Account, KeyState, Membership};
use family_api_core::id::{FamilyId, FeedId, GrantId, KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::{Profile, Revision};
use family_api_core::storage::table::{ScopedId, field_name};
use family_api_core::storage::{FamilyData, LoggedChange, Record, Session, UserRecord};

#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) users: BTreeMap<UserId, UserRecord>,
    pub(crate) keys: BTreeMap<KeyId, StoredKey>,
    pub(crate) grants: BTreeMap<GrantId, GrantEntry>,
    pub(crate) feeds: BTreeMap<FeedId, StoredFeed>,
    pub(crate) calendar_id: CalendarId,
    pub(crate) signing_key: Option<[u8; 32]>,
    pub(crate) sessions: Vec<Session>,
    pub(crate) families: BTreeMap<FamilyId, Family>,
    /// The ids of the records in families, without users. Only a load uses them.
    pub(crate) records: BTreeSet<OwnedId>,
}

/// The kind, the family and the id of a record.
pub(crate) type OwnedId = (&'static str, String, String);

pub(crate) fn owned(id: ScopedId<'_>) -> OwnedId {
    (id.kind, id.family.unwrap_or_default().to_owned(), id.id.to_owned())
}

impl State {
    /// Collects the ids of the records in families. A deleted record keeps its id.
    pub(crate) fn collect_records(&mut self) {
        for (family, stored) in &self.families {
            for (kind, id) in stored.data.record_ids() {
                let name = field_name(kind.as_str());
                let kind = Record::KINDS.into_iter().find(|kind| *kind == name).unwrap_or_default();
                self.records.insert(owned(ScopedId { kind, family: Some(family.as_str()), id }));
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct StoredKey {
    pub(crate) key: IntegrationKey,
    pub(crate) user: UserId,
    pub(crate) digest: KeyDigest,
    pub(crate) state: KeyState,
}

/// The data of one family. Every change increments the revision.
#[derive(Debug, Clone)]
pub(crate) struct Family {
    pub(crate) revision: i64,
    pub(crate) data: FamilyData,
    /// The log of changes, ordered. It is not in the data, which each load clones.
    pub(crate) log: Vec<LoggedChange>,
}

impl Family {
    /// Starts at a random revision: a client can still have an entity tag of an earlier family with the same id.
    pub(crate) fn new() -> Self {
        let mut random = [0; 4];
        // Without randomness, the revision starts at 0.
        let _ = getrandom::fill(&mut random);
        Self { revision: i64::from(u32::from_ne_bytes(random)) << 16, data: FamilyData::default(), log: Vec::new() }
    }
}

impl State {
    pub(crate) fn account(&self, user: &UserId) -> Option<Account> {
        let user = self.users.get(user)?;
        let zone = user.time_zone.clone();
        let membership = user.family_id.as_ref().map(|family| self.membership(family));
        Some(Account { user: user.id.clone(), membership, personal_api_enabled: user.personal_api_enabled, zone })
    }

    fn membership(&self, family: &FamilyId) -> Membership {
        let revision = self.families.get(family).map(|family| Revision::new(family.revision));
        Membership { family: family.clone(), revision }
    }

    pub(crate) fn profile(&self, user: &UserId) -> Option<Profile> {
        self.users.get(user).cloned().map(Profile::from)
    }
}

impl StoredKey {
    /// Returns when the key was revoked, or when it expires if it is not revoked.
    pub(crate) fn end(&self) -> Option<Timestamp> {
        match self.state {
            KeyState::Revoked { at } => Some(at),
            KeyState::Active => self.key.expires_at,
        }
    }

    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        self.state == KeyState::Active && self.key.is_current(now)
    }
}

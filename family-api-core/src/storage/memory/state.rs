//! The stored data: users, keys, sessions, and the data of each family.

use std::collections::{BTreeMap, BTreeSet};

use crate::Timestamp;
use crate::access::{Account, KeyState, Membership};
use crate::change::Editable;
use crate::for_each_kind;
use crate::id::{FamilyId, GrantId, Id, KeyId, UserId};
use crate::key::{IntegrationKey, KeyDigest};
use crate::resource::{Profile, RecordKind, Revision};
use crate::storage::family_data::RowKind;
use crate::storage::memory::grant_entry::GrantEntry;
use crate::storage::table::{ScopedId, field_name};
use crate::storage::{FamilyData, Record, Session, UserRecord};

#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) users: BTreeMap<UserId, UserRecord>,
    pub(super) keys: BTreeMap<KeyId, StoredKey>,
    pub(super) grants: BTreeMap<GrantId, GrantEntry>,
    pub(super) signing_key: Option<[u8; 32]>,
    pub(super) sessions: Vec<Session>,
    pub(super) families: BTreeMap<FamilyId, Family>,
    /// The ids of the records in families, without users. Only a load uses them.
    pub(super) records: BTreeSet<OwnedId>,
}

/// The kind, the family and the id of a record.
pub(super) type OwnedId = (&'static str, String, String);

pub(super) fn owned(id: ScopedId<'_>) -> OwnedId {
    (id.kind, id.family.unwrap_or_default().to_owned(), id.id.to_owned())
}

impl State {
    /// Collects the ids of the records in families. A deleted record keeps its id.
    pub(super) fn collect_records(&mut self) {
        let records = &mut self.records;
        for (family, stored) in &self.families {
            let mut insert = |kind: RecordKind, id: &str| {
                let name = field_name(kind.as_str());
                let kind = Record::KINDS.into_iter().find(|kind| *kind == name).unwrap_or_default();
                records.insert(owned(ScopedId { kind, family: Some(family.as_str()), id }));
            };
            macro_rules! insert_each_kind {
                ($($method:ident: $Record:ident,)*) => {$(
                    for record in <crate::resource::$Record>::rows(&stored.data) {
                        insert(RecordKind::$Record, record.id().text());
                    }
                )*};
            }
            for_each_kind!(insert_each_kind);
            for deleted in &stored.data.deleted {
                insert(deleted.kind, &deleted.id);
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct StoredKey {
    pub(super) key: IntegrationKey,
    pub(super) user: UserId,
    pub(super) digest: KeyDigest,
    pub(super) state: KeyState,
}

/// The data of one family. Every change increments the revision.
#[derive(Debug, Clone)]
pub(super) struct Family {
    pub(super) revision: i64,
    pub(super) data: FamilyData,
}

impl Family {
    /// Starts at a random revision: a client can still have an entity tag of an earlier family with the same id.
    pub(super) fn new() -> Self {
        let mut random = [0; 4];
        // Without randomness, the revision starts at 0.
        let _ = getrandom::fill(&mut random);
        Self { revision: i64::from(u32::from_ne_bytes(random)) << 16, data: FamilyData::default() }
    }
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
    /// Returns when the key was revoked, or when it expires if it is not revoked.
    pub(super) fn end(&self) -> Option<Timestamp> {
        match self.state {
            KeyState::Revoked { at } => Some(at),
            KeyState::Active => self.key.expires_at,
        }
    }

    pub(super) fn is_active(&self, now: Timestamp) -> bool {
        self.state == KeyState::Active && self.key.is_current(now)
    }
}

//! A storage with one flaw. Apart from the flaw, it works like its inner `MemoryStorage`.

mod authors;
mod creations;
mod credentials;
mod flaw;
mod grants;
mod key_use;
mod keys;
mod load;
mod notes;
mod preconditions;
mod reads;
mod records;
mod tasks;
mod users;
mod writes;

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::conformance::{CredentialsSubject, GrantsSubject, LoadSubject, Subject, seed_by_load};
use family_api_core::grant::Rotation;
use family_api_core::key::KeyDigest;
use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{
    Account, BulkLoad, Capabilities, CredentialStorage, FoundAccessToken, GrantStorage, Health, Member, Record,
    Session, Storage, StorageError, TaskRecord,
};
use jiff::SignedDuration;
use serde_json::Value;

pub(crate) use flaw::Flaw;

pub(crate) struct BrokenStorage {
    inner: MemoryStorage,
    flaw: Option<Flaw>,
    capabilities: Capabilities,
    history: Mutex<CallHistory>,
}

/// Data of earlier calls. Some flaws depend on it.
#[derive(Default)]
struct CallHistory {
    members: Vec<Member>,
    account: Option<Account>,
    sessions: Vec<Session>,
    access_tokens: HashMap<KeyDigest, FoundAccessToken>,
    rotation: Option<Rotation>,
    /// The recorded uses, in call order.
    uses: Vec<(KeyDigest, Timestamp)>,
    /// The deleted records, with their kinds and ids.
    deleted: Vec<(RecordKind, String, Value)>,
    /// The time of the first creation with an idempotency key.
    first_creation: Option<Timestamp>,
    /// The idempotency keys of creations that have ended.
    used_keys: HashSet<String>,
}

impl BrokenStorage {
    pub(crate) fn with_flaw(flaw: Flaw) -> Self {
        Self { flaw: Some(flaw), ..Self::without_flaw() }
    }

    /// Creates a storage without a flaw.
    pub(crate) fn without_flaw() -> Self {
        Self { inner: MemoryStorage::new(), flaw: None, capabilities: Capabilities::all(), history: Mutex::default() }
    }

    /// Creates a storage without a flaw that keeps less than the others.
    pub(crate) fn with_capabilities(capabilities: Capabilities) -> Self {
        Self { capabilities, ..Self::without_flaw() }
    }

    /// Returns the record without the fields that the storage does not keep, or `None` if it does not keep the record.
    fn kept(&self, record: Record) -> Option<Record> {
        let keeps = |resource| self.capabilities.keeps_resource(resource);
        let is_kept = match &record {
            Record::Board(_) | Record::Column(_) | Record::Task(_) => keeps(ResourceKind::Tasks),
            Record::Event(_) => keeps(ResourceKind::Events),
            Record::ShoppingList(_) | Record::ShoppingItem(_) => keeps(ResourceKind::Shopping),
            Record::NoteCategory(_) | Record::Note(_) => keeps(ResourceKind::Notes),
            _ => true,
        };
        is_kept.then(|| match record {
            Record::Task(task) if !self.capabilities.keeps_field(RecordKind::Task, "labels") => {
                Record::Task(TaskRecord { labels: Vec::new(), ..task })
            }
            other => other,
        })
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    fn history(&self) -> MutexGuard<'_, CallHistory> {
        self.history.lock().unwrap()
    }

    /// Returns every member of every family, `first` first.
    fn all_members(&self, first: &Member) -> Vec<Member> {
        let others = self.history().members.iter().filter(|other| *other != first).cloned().collect();
        [vec![first.clone()], others].concat()
    }

    /// Returns the members of other families if the storage writes there too.
    fn members_of_other_families_if_flawed(&self, member: &Member) -> Vec<Member> {
        let mut others = if self.has(Flaw::WritesInEveryFamily) { self.all_members(member) } else { Vec::new() };
        others.retain(|other| other.family != member.family);
        others
    }

    /// Returns the members of the family of `first`, `first` first.
    fn family_members(&self, first: &Member) -> Vec<Member> {
        self.all_members(first).into_iter().filter(|other| other.family == first.family).collect()
    }
}

/// Returns the time 1 ms after `at`.
fn later(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(1))
}

/// Returns the time 1 ms before `at`.
fn earlier(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(-1))
}

#[async_trait]
impl Subject for BrokenStorage {
    fn storage(&self) -> &dyn Storage {
        self
    }

    async fn seed(&self, records: Vec<Record>) {
        let members = records.iter().filter_map(|record| match record {
            Record::User(user) => Some(Member { user: user.id.clone(), family: user.family_id.clone()? }),
            _ => None,
        });
        self.history().members.extend(members);
        let kept = records.into_iter().filter_map(|record| self.kept(record)).collect();
        seed_by_load(&self.inner, kept).await;
    }
}

impl LoadSubject for BrokenStorage {
    fn load(&self) -> &dyn BulkLoad {
        self
    }
}

impl CredentialsSubject for BrokenStorage {
    fn credentials(&self) -> &dyn CredentialStorage {
        self
    }
}

impl GrantsSubject for BrokenStorage {
    fn grants(&self) -> &dyn GrantStorage {
        self
    }
}

#[async_trait]
impl Health for BrokenStorage {
    async fn check(&self) -> Result<(), StorageError> {
        if self.has(Flaw::IsNeverReady) {
            Err(StorageError::unavailable("the storage is never ready"))
        } else {
            self.inner.check().await
        }
    }
}

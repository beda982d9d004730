//! A storage with one flaw: everything else works like its inner `MemoryStorage`.

mod authors;
mod credentials;
mod flaw;
mod key_use;
mod keys;
mod load;
mod notes;
mod preconditions;
mod reads;
mod tasks;
mod users;
mod writes;

use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::conformance::{CredentialsSubject, LoadSubject, Subject, seed_by_load};
use family_api_core::key::KeyDigest;
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{
    Account, CredentialStorage, Health, Load, Member, Record, Session, Storage, StorageError,
};
use jiff::SignedDuration;

pub(crate) use flaw::Flaw;

pub(crate) struct Broken {
    inner: MemoryStorage,
    flaw: Option<Flaw>,
    recorded: Mutex<Recorded>,
}

/// The data of earlier calls that flaws need.
#[derive(Default)]
struct Recorded {
    members: Vec<Member>,
    account: Option<Account>,
    sessions: Vec<Session>,
    /// The recorded uses, in call order.
    uses: Vec<(KeyDigest, Timestamp)>,
}

impl Broken {
    pub(crate) fn with(flaw: Flaw) -> Self {
        Self { flaw: Some(flaw), ..Self::without_flaw() }
    }

    /// Creates a storage without a flaw.
    pub(crate) fn without_flaw() -> Self {
        Self { inner: MemoryStorage::new(), flaw: None, recorded: Mutex::default() }
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap()
    }

    /// Returns every member of every family, `first` first.
    fn all_members(&self, first: &Member) -> Vec<Member> {
        let others = self.recorded().members.iter().filter(|other| *other != first).cloned().collect();
        [vec![first.clone()], others].concat()
    }

    /// Returns the members of the same family, `first` first.
    fn family_members(&self, first: &Member) -> Vec<Member> {
        self.all_members(first).into_iter().filter(|other| other.family == first.family).collect()
    }
}

fn later(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(1))
}

fn earlier(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(-1))
}

#[async_trait]
impl Subject for Broken {
    fn storage(&self) -> &dyn Storage {
        self
    }

    async fn seed(&self, records: Vec<Record>) {
        let members = records.iter().filter_map(|record| match record {
            Record::User(user) => Some(Member { user: user.id.clone(), family: user.family_id.clone()? }),
            _ => None,
        });
        self.recorded().members.extend(members);
        seed_by_load(&self.inner, records).await;
    }
}

impl LoadSubject for Broken {
    fn load(&self) -> &dyn Load {
        self
    }
}

impl CredentialsSubject for Broken {
    fn credentials(&self) -> &dyn CredentialStorage {
        self
    }
}

#[async_trait]
impl Health for Broken {
    async fn check(&self) -> Result<(), StorageError> {
        if self.has(Flaw::IsNeverReady) { Err(StorageError::unavailable("never")) } else { self.inner.check().await }
    }
}

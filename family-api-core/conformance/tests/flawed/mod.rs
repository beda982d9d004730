//! A storage in memory with a flaw: it leaves out a check, or returns a wrong result. The records that a case seeds are
//! stored without the flaw.

mod load;
mod methods;
mod numbers;
mod rows;

use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use family_api_conformance::{CredentialsSubject, FeedsSubject, GrantsSubject, LoadSubject, Subject, seed_by_load};
use family_api_core::Precondition;
use family_api_core::id::UserId;
use family_api_core::resource::{Person, RecordKind, Revision, Verb};
use family_api_core::storage::{
    Account, Author, BulkLoad, Capabilities, Credential, CredentialStorage, FeedStorage, GrantStorage, Member,
    Operation, ReadStorage, Record, RecordWrite, SignedIn, Storage, StorageError, UserStorage, Writable, Written,
};
use family_api_memory::MemoryStorage;

use crate::flawed::numbers::{Numbers, swap_ids, with_id};
use crate::flawed::rows::Rows;

/// What a storage does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    /// The storage supports operations that its capabilities do not name.
    ExceedsCapabilities,
    /// A write accepts every credential and every session.
    IgnoresCredentials,
    /// A write accepts every entity tag.
    IgnoresPreconditions,
    /// A write accepts no entity tag.
    RefusesPreconditions,
    /// A creation does not look for an earlier request with its key.
    IgnoresIdempotencyKeys,
    /// An update returns the record that it found.
    ReturnsTheRecordBefore,
    /// A write of a record returns its result, but stores nothing.
    StoresNothing,
    /// An update without a new value stores the record that it found.
    StoresUnchangedRecords,
    /// An update without a new value stores another version of the record. Accounts have no revision.
    StoresUnchangedVersions,
    /// A write of two records stores only the first one.
    StoresOnlyTheFirst,
    /// A write reads in one transaction, and writes in another.
    WritesWithoutLock,
    /// A write that changes nothing reports success.
    ReportsSuccess,
    /// A restoration finds deleted columns, lists and categories.
    FindsDeletedContainers,
    /// Every private record is shared.
    ForgetsPrivacy,
    /// A deletion deletes every record of the kind.
    DeletesTheWholeKind,
    /// A deletion of an item that is not checked deletes nothing.
    DeletesOnlyCheckedItems,
    /// A member reads and writes the records of every family.
    IgnoresTheFamily,
    /// A user who has left a family reads its records.
    FormerMembersRead,
    /// A user who switches the personal API off, or sets the time zone, does so for the whole family.
    ChangesProfilesOfTheFamily,
    /// A new time zone is not counted in the revision.
    KeepsTheRevision,
    /// A write of a kind of record does not store a field.
    Loses(RecordKind, &'static str),
    /// Two reads find different titles, names and revisions.
    ReadsDiffer,
    /// A load stores each record at once.
    CommitsEachRecord,
    /// A load skips the records that it must refuse.
    SkipsRefusedRecords,
    /// The storage answers although its database has stopped.
    AnswersWithoutDatabase,
    /// Two tasks have each other's id.
    MixesUpIds,
    /// A creation returns the id that was proposed, not the one that the storage assigned.
    ReturnsTheProposedId,
}

/// A storage with a flaw. Without one, it keeps what its capabilities name.
pub(crate) struct Flawed {
    rows: Rows,
    memory: MemoryStorage,
    flaw: Flaw,
    /// The number of new time zones.
    new_zones: AtomicI64,
}

impl Flawed {
    pub(crate) fn new(capabilities: Capabilities, flaw: Flaw) -> Self {
        let rows = Rows::new(capabilities, flaw);
        Self { memory: rows.memory.clone(), rows, flaw, new_zones: AtomicI64::new(0) }
    }

    /// Refuses ids that are not numbers, and assigns the ids of new records, as a database with a sequence for each
    /// table does.
    pub(crate) fn with_numeric_ids(mut self) -> Self {
        self.rows.numbers = Some(Numbers::default());
        self
    }

    /// Returns the user, without a session that must be checked.
    fn owner(&self, user: &SignedIn) -> SignedIn {
        self.rows.check_id(user.user.as_str());
        let session = user.session.filter(|_| self.flaw != Flaw::IgnoresCredentials);
        SignedIn { session, ..user.clone() }
    }

    /// Returns an account with another revision for each read, if reads differ, or without the new time zones, or
    /// without a revision.
    fn account(&self, mut account: Option<Account>) -> Option<Account> {
        if let (Some(number), Some(membership)) =
            (self.rows.read_number(), account.as_mut().and_then(|account| account.membership.as_mut()))
        {
            membership.revision = Some(Revision::new(number.into()));
        }
        let membership = account.as_mut().and_then(|account| account.membership.as_mut());
        if let Some(membership) = membership.filter(|_| self.flaw == Flaw::StoresUnchangedVersions) {
            membership.revision = None;
        }
        let membership = account.as_mut().and_then(|account| account.membership.as_mut());
        if let Some(revision) = membership.and_then(|membership| membership.revision.as_mut()) {
            *revision = Revision::new(revision.get() - self.new_zones.load(Ordering::SeqCst));
        }
        account
    }

    /// Returns the members of the user's family.
    async fn family_of(&self, user: &UserId) -> Result<Vec<Person>, StorageError> {
        let profile = self.memory.find_profile(user).await?;
        let Some(family) = profile.and_then(|profile| profile.family_id) else {
            return Ok(Vec::new());
        };
        Ok(self.memory.list_members(&Member { user: user.clone(), family }).await?.parse().unwrap())
    }

    async fn write<R: Writable>(&self, author: &Author, write: &RecordWrite<R>) -> Result<Written<R>, StorageError> {
        let mut author = author.clone();
        if self.flaw == Flaw::IgnoresCredentials {
            // The session of a host, which a storage does not check.
            author.credential = Credential::Session(None);
        }
        let mut write = write.clone();
        let proposed = write.operation.id().clone();
        self.rows.assign_id(&mut write.operation);
        match (&mut write.operation, self.flaw) {
            (
                Operation::Update { precondition, .. } | Operation::Delete { precondition, .. },
                Flaw::IgnoresPreconditions,
            ) => *precondition = Precondition::None,
            (
                Operation::Update { precondition, .. } | Operation::Delete { precondition, .. },
                Flaw::RefusesPreconditions,
            ) if *precondition != Precondition::None => {
                *precondition = Precondition::if_match([b"\"none\"".as_slice()]);
            }
            (Operation::Create { idempotency, .. }, Flaw::IgnoresIdempotencyKeys) => *idempotency = None,
            _ => {}
        }
        let verb = (!write.only_reads()).then(|| write.operation.verb());
        let written = R::write(&self.rows, &author, &write).await?;
        if let (Written::Existing(record), Some(Verb::Update)) = (&written, verb) {
            self.rows.store_unchanged(&author, record, write.now).await?;
        }
        Ok(match (written, self.flaw) {
            (Written::Updated { before, .. }, Flaw::ReturnsTheRecordBefore) => {
                Written::Updated { after: before.clone(), before }
            }
            (Written::Created(record), Flaw::ReturnsTheProposedId) => Written::Created(with_id(&record, &proposed)),
            (Written::Existing(record), Flaw::ReportsSuccess) => match verb {
                Some(Verb::Restore) => Written::Restored(record),
                Some(Verb::Update) => Written::Updated { before: record.clone(), after: record },
                _ => Written::Existing(record),
            },
            (written, _) => written,
        })
    }
}

#[async_trait]
impl Subject for Flawed {
    fn storage(&self) -> &dyn Storage {
        self
    }

    async fn seed(&self, mut records: Vec<Record>) {
        if self.flaw == Flaw::MixesUpIds {
            swap_ids(&mut records);
        }
        for record in &records {
            self.rows.check_ids(record);
        }
        self.rows.add_members(&records);
        seed_by_load(&self.memory, self.rows.with_containers(records)).await;
    }

    fn host_id(&self, number: u32) -> Option<String> {
        self.rows.numbers.as_ref().map(|_| number.to_string())
    }

    async fn stop_database(&self) -> bool {
        self.flaw == Flaw::AnswersWithoutDatabase
    }
}

impl LoadSubject for Flawed {
    fn load(&self) -> &dyn BulkLoad {
        self
    }
}

impl CredentialsSubject for Flawed {
    fn credentials(&self) -> &dyn CredentialStorage {
        self
    }
}

impl GrantsSubject for Flawed {
    fn grants(&self) -> &dyn GrantStorage {
        self
    }
}

impl FeedsSubject for Flawed {
    fn feeds(&self) -> &dyn FeedStorage {
        self
    }
}

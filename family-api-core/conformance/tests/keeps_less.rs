//! A storage that keeps less than others, whose reads differ, or that checks no credential of a write.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use family_api_conformance::{GrantsSubject, Subject, grants_cases, seed_by_load, storage_cases};
use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::{FamilyId, KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::{Profile, RecordKind, ResourceKind, Verb};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{
    Account, Author, Capabilities, Credential, DecideFn, DeletedRecordLimit, FamilyData, FamilyStore, FamilyWrite,
    FoundKey, GrantStorage, Health, KeyInsert, KeyRevocation, KeyStorage, Member, NewKey, Record, SignedIn, Storage,
    StorageError, UserStorage,
};

/// The cases that fail only if two reads differ.
pub(crate) const FAIL_IF_READS_DIFFER: [&str; 5] = [
    "a_found_note_equals_the_listed_note",
    "a_found_task_equals_the_listed_task",
    "a_record_that_is_not_deleted_is_restored_unchanged",
    "an_empty_profile_change_changes_nothing",
    "operations_outside_the_capabilities_fail",
];

/// The cases that fail if the credential of a write is not checked.
pub(crate) const FAIL_WITHOUT_CREDENTIAL_CHECKS: [&str; 10] = [
    "a_write_with_a_key_is_refused_while_the_personal_api_is_off",
    "a_write_with_a_key_that_lacks_the_scope_is_refused",
    "a_write_with_a_revoked_key_is_refused",
    "a_write_with_a_token_is_refused_while_the_api_is_off",
    "a_write_with_a_token_of_another_user_is_not_found",
    "a_write_with_a_token_of_the_read_path_is_refused",
    "a_write_with_a_token_that_lacks_the_scope_is_refused",
    "a_write_with_an_expired_access_token_is_refused",
    "a_write_with_an_expired_key_is_refused",
    "a_write_with_an_unknown_session_is_refused",
];

/// A storage in memory that keeps only what its capabilities name.
struct KeepsLess {
    memory: MemoryStorage,
    capabilities: Capabilities,
    /// The number of reads, if they differ: each finds its number as the titles and names.
    differing_reads: Option<AtomicU32>,
    /// Whether a write checks the credential of its author.
    checks_credentials: bool,
}

impl KeepsLess {
    fn new(capabilities: Capabilities) -> Self {
        Self { memory: MemoryStorage::new(), capabilities, differing_reads: None, checks_credentials: true }
    }

    fn replace_texts<'a>(&self, texts: impl IntoIterator<Item = &'a mut String>) {
        if let Some(reads) = &self.differing_reads {
            let number = reads.fetch_add(1, Ordering::Relaxed).to_string();
            texts.into_iter().for_each(|text| text.clone_from(&number));
        }
    }

    fn keeps_labels(&self) -> bool {
        self.capabilities.keeps_field(RecordKind::Task, "labels")
    }

    fn keeps(&self, record: &Record) -> bool {
        let resource = match record {
            Record::Board(_) | Record::Column(_) | Record::Task(_) => ResourceKind::Tasks,
            Record::Event(_) => ResourceKind::Events,
            Record::ShoppingList(_) | Record::ShoppingItem(_) => ResourceKind::Shopping,
            Record::NoteCategory(_) | Record::Note(_) => ResourceKind::Notes,
            Record::Family(_) | Record::User(_) | Record::Key(_) => return true,
        };
        self.capabilities.keeps_resource(resource)
    }
}

#[async_trait]
impl Subject for KeepsLess {
    fn storage(&self) -> &dyn Storage {
        self
    }

    async fn seed(&self, mut records: Vec<Record>) {
        records.retain(|record| self.keeps(record));
        for record in &mut records {
            if let Record::Task(task) = record
                && !self.keeps_labels()
            {
                task.labels.clear();
            }
        }
        seed_by_load(&self.memory, records).await;
    }
}

impl GrantsSubject for KeepsLess {
    fn grants(&self) -> &dyn GrantStorage {
        &self.memory
    }
}

#[async_trait]
impl FamilyStore for KeepsLess {
    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        let mut data = self.memory.load(member, resource).await?;
        let tasks = data.tasks.iter_mut().map(|task| &mut task.title);
        self.replace_texts(tasks.chain(data.notes.iter_mut().map(|note| &mut note.title)));
        Ok(data)
    }

    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        decide: DecideFn<'_>,
    ) -> Result<(), StorageError> {
        let keeps_labels = self.keeps_labels();
        let decide: DecideFn<'_> = Box::new(move |credential, data| {
            let mut writes = decide(credential, data);
            for write in &mut writes {
                if let FamilyWrite::Task(write) = write
                    && !keeps_labels
                {
                    write.task.labels.clear();
                }
            }
            writes
        });
        let mut author = author.clone();
        if !self.checks_credentials {
            // The session of a host, which a storage does not check.
            author.credential = Credential::Session(None);
        }
        self.memory.change(&author, resource, now, decide).await
    }

    async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::forget_old_deleted(&self.memory, until, limit).await
    }

    async fn forget_surplus_deleted(
        &self,
        family: &FamilyId,
        kind: RecordKind,
        keep: DeletedRecordLimit,
        limit: u32,
    ) -> Result<u64, StorageError> {
        FamilyStore::forget_surplus_deleted(&self.memory, family, kind, keep, limit).await
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_old_idempotency_keys(&self.memory, until, limit).await
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        FamilyStore::delete_surplus_idempotency_keys(&self.memory, member, keep, limit).await
    }
}

#[async_trait]
impl Health for KeepsLess {
    async fn check(&self) -> Result<(), StorageError> {
        self.memory.check().await
    }
}

#[async_trait]
impl UserStorage for KeepsLess {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        self.memory.find_account(user).await
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        let mut profile = self.memory.find_profile(user).await?;
        self.replace_texts(profile.as_mut().map(|profile| &mut profile.name));
        Ok(profile)
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.memory.update_profile(user, change, now).await
    }
}

#[async_trait]
impl KeyStorage for KeepsLess {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        self.memory.insert_key(new, limit).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        self.memory.find_key(digest).await
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        self.memory.list_keys(user, now).await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        self.memory.revoke_key(user, key, now).await
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        self.memory.revoke_access(user, now).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.memory.record_uses(keys, at).await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        self.memory.delete_ended_keys(until, spared, limit).await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.memory.delete_surplus_keys(user, until, keep, spared, limit).await
    }
}

#[tokio::test]
async fn every_case_passes_for_a_storage_that_keeps_less() {
    let all = Capabilities::all;
    let mut capabilities = vec![
        Capabilities::updates(),
        all().without_resource(ResourceKind::Tasks),
        all().without_resource(ResourceKind::Notes),
        all()
            .without_resource(ResourceKind::Events)
            .without_resource(ResourceKind::Shopping)
            .without_resource(ResourceKind::TaskStats)
            .without_field(RecordKind::Task, "labels"),
    ];
    // Every storage supports `Capabilities::updates()`, and only an update reads a category.
    let is_needed = |kind, verb| {
        Capabilities::updates().supports(kind, verb) || (kind, verb) == (RecordKind::NoteCategory, Verb::Update)
    };
    for verb in Verb::ALL {
        let removed = RecordKind::ALL.into_iter().filter(|kind| !is_needed(*kind, verb));
        capabilities.push(removed.fold(all(), |kept, kind| kept.without(kind, verb)));
    }
    for kept in capabilities {
        for case in storage_cases().into_iter().filter(|case| case.applies_to(&kept)) {
            let name = case.name();
            let subject = KeepsLess::new(kept.clone());
            let outcome = tokio::spawn(async move { case.run(&subject).await }).await;
            assert!(outcome.is_ok(), "{name} fails for a storage with {kept:?}");
        }
    }
}

#[test]
fn a_case_applies_only_to_a_storage_with_the_needed_capabilities() {
    let applies = |capabilities: Capabilities| {
        let cases = storage_cases().into_iter().filter(move |case| case.applies_to(&capabilities));
        cases.map(|case| case.name()).collect::<Vec<_>>()
    };
    assert_eq!(applies(Capabilities::all()).len(), storage_cases().len());
    let without_shopping = applies(Capabilities::all().without_resource(ResourceKind::Shopping));
    assert!(!without_shopping.contains(&"a_private_list_is_visible_only_to_its_owner"));
    assert!(without_shopping.contains(&"a_private_task_is_visible_only_to_its_creator"));
    let without_labels = applies(Capabilities::all().without_field(RecordKind::Task, "labels"));
    assert!(!without_labels.contains(&"every_field_of_a_task_is_returned"));
    assert!(without_labels.contains(&"a_created_record_has_the_given_fields_and_its_author"));
}

/// Asserts that the run of a case has failed by an assertion.
async fn assert_fails(name: &str, run: impl Future<Output = ()> + Send + 'static) {
    let failed = tokio::spawn(run).await.err();
    let panic = failed.map(tokio::task::JoinError::into_panic);
    let message = panic.as_ref().and_then(|panic| panic.downcast_ref::<String>()).map_or("", String::as_str);
    assert!(message.starts_with("assertion"), "{name}: {message:?}");
}

#[tokio::test]
async fn some_cases_fail_if_two_reads_differ() {
    for case in storage_cases().into_iter().filter(|case| FAIL_IF_READS_DIFFER.contains(&case.name())) {
        let subject = KeepsLess { differing_reads: Some(AtomicU32::new(0)), ..KeepsLess::new(Capabilities::all()) };
        assert_fails(case.name(), async move { case.run(&subject).await }).await;
    }
}

#[tokio::test]
async fn some_cases_fail_without_credential_checks() {
    let subject = || KeepsLess { checks_credentials: false, ..KeepsLess::new(Capabilities::all()) };
    let is_one = |name| FAIL_WITHOUT_CREDENTIAL_CHECKS.contains(&name);
    for case in storage_cases().into_iter().filter(|case| is_one(case.name())) {
        let subject = subject();
        assert_fails(case.name(), async move { case.run(&subject).await }).await;
    }
    for case in grants_cases().into_iter().filter(|case| is_one(case.name())) {
        let subject = subject();
        assert_fails(case.name(), async move { case.run(&subject).await }).await;
    }
}

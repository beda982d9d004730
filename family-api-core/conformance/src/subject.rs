//! The traits through which the suite uses the tested storage.

use async_trait::async_trait;
use family_api_core::storage::{
    BulkLoad, BulkUpdate, CredentialStorage, FeedStorage, GrantStorage, KeyCondition, KeyInsert, KeyRecord, KeyStorage,
    NewKey, Record, SignedIn, Storage,
};

/// A storage under test. Each case gets a new subject with an empty storage.
#[async_trait]
pub trait Subject: Send + Sync {
    /// Returns the storage.
    fn storage(&self) -> &dyn Storage;

    /// Stores records without applying the rules of the API. Parents come before their children.
    ///
    /// Creators, assignees, authors and adders can be ids of deleted users. There are only records of the kinds that
    /// the storage keeps, with values only in the fields that it keeps. The tasks of a storage without boards are in
    /// [`Column::only`](family_api_core::resource::Column::only), and the items of a storage without lists in
    /// [`ShoppingList::only`](family_api_core::resource::ShoppingList::only).
    ///
    /// # Panics
    /// Panics if the records cannot be stored.
    async fn seed(&self, records: Vec<Record>);

    /// Returns the id that the host would give its record with this number, such as `Some(number.to_string())` for a
    /// host with integer ids.
    ///
    /// The numbers have nine digits. The id of a greater number must come later in the order of text. See
    /// [Ids of the host](crate#ids-of-the-host).
    ///
    /// Default: `None`. The storage then stores the names that the cases use as ids.
    fn host_id(&self, number: u32) -> Option<String> {
        let _ = number;
        None
    }

    /// Stops the database of the storage, for example by closing the pool of connections: each later call of the storage
    /// must fail. Returns whether it did.
    ///
    /// Default: `false`. The case about faults then passes without a check.
    async fn stop_database(&self) -> bool {
        false
    }
}

/// A subject whose storage implements [`BulkLoad`].
pub trait LoadSubject: Subject {
    /// Returns the storage as [`BulkLoad`].
    fn load(&self) -> &dyn BulkLoad;
}

/// A subject whose storage implements [`BulkUpdate`].
pub trait UpdateSubject: Subject {
    /// Returns the storage as [`BulkUpdate`].
    fn update(&self) -> &dyn BulkUpdate;

    /// Returns the subject if the storage also implements [`CredentialStorage`].
    ///
    /// Default: `None`. The cases about passwords and sessions then pass without a check.
    fn with_credentials(&self) -> Option<&dyn CredentialsSubject> {
        None
    }

    /// Returns the subject if the storage also implements [`GrantStorage`].
    ///
    /// Default: `None`. The cases about grants then pass without a check.
    fn with_grants(&self) -> Option<&dyn GrantsSubject> {
        None
    }

    /// Returns the subject if the storage also implements [`FeedStorage`].
    ///
    /// Default: `None`. The cases about feeds then pass without a check.
    fn with_feeds(&self) -> Option<&dyn FeedsSubject> {
        None
    }
}

/// A subject whose storage implements [`CredentialStorage`].
pub trait CredentialsSubject: Subject {
    /// Returns the storage as [`CredentialStorage`].
    fn credentials(&self) -> &dyn CredentialStorage;
}

/// A subject whose storage implements [`GrantStorage`].
pub trait GrantsSubject: Subject {
    /// Returns the storage as [`GrantStorage`].
    fn grants(&self) -> &dyn GrantStorage;
}

/// A subject whose storage implements [`FeedStorage`].
pub trait FeedsSubject: Subject {
    /// Returns the storage as [`FeedStorage`].
    fn feeds(&self) -> &dyn FeedStorage;
}

/// Implements [`Subject::seed`] for a storage that implements [`BulkLoad`].
///
/// # Panics
/// Panics if the load fails.
pub async fn seed_by_load(storage: &dyn BulkLoad, records: Vec<Record>) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records {
        load.insert(record).await.unwrap();
    }
    load.commit().await.unwrap();
}

/// Inserts a key whose user is stored by a host, for the [`Subject::seed`] of a
/// [`HostStorage`](family_api_core::storage::HostStorage). A load of the key would be refused.
///
/// # Panics
/// Panics if the key cannot be stored.
pub async fn seed_key(keys: &dyn KeyStorage, record: KeyRecord) {
    let owner = SignedIn::from(record.user_id.clone());
    let (digest, revoked_at) = (record.digest, record.revoked_at);
    let new = NewKey { key: record.into(), owner: owner.clone(), digest, condition: KeyCondition::HostChecked };
    assert_eq!(keys.insert_key(&new, u32::MAX).await.unwrap(), KeyInsert::Inserted);
    if let Some(at) = revoked_at {
        keys.revoke_key(&owner, &new.key.id, at).await.unwrap();
    }
}

//! The methods of the storage. Most of them call the storage in memory.

use std::ops::Range;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods};
use family_api_core::change::ProfileChange;
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::feed::{CalendarFeed, FeedUpdate};
use family_api_core::id::{FamilyId, FeedId, GrantId, KeyId, ListId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::{
    Board, Column, Document, Event, Note, NoteCategory, Person, Profile, RecordKind, ShoppingItem, ShoppingList, Task,
    TaskFilter, TaskStats,
};
use family_api_core::storage::{
    Account, Author, Capabilities, ChangesQuery, CredentialStorage, DeletedRecordLimit, FamilyStore, FeedInsert,
    FeedStorage, FeedWrite, FoundAccessToken, FoundChanges, FoundFeed, FoundKey, GrantInsert, GrantLookup,
    GrantRevocation, GrantStorage, Health, KeyInsert, KeyRevocation, KeyStorage, Member, NewFeed, NewGrant, NewKey,
    PasswordHash, ReadStorage, RecordWrite, RestorableEntry, RestorableQuery, Session, SignedIn, StorageError,
    StoredGrant, TokenIssue, UserStorage, WriteStorage, Written,
};
use tokio::task::yield_now;

use crate::flawed::{Flaw, Flawed};

/// Implements a trait. The methods of the list call the method of a field, after the methods with a body.
macro_rules! delegate {
    (
        $Trait:ident to $field:ident {
            $(fn $method:ident($($argument:ident: $Type:ty),*) -> $Output:ty;)*
        }
        $($with_body:tt)*
    ) => {
        #[async_trait]
        impl $Trait for Flawed {
            $($with_body)*

            $(async fn $method(&self, $($argument: $Type),*) -> Result<$Output, StorageError> {
                $Trait::$method(&self.$field, $($argument),*).await
            })*
        }
    };
}

delegate! {
    Health to memory {
        fn check() -> ();
    }
}

delegate! {
    ReadStorage to rows {
        fn list_tasks(member: &Member, filter: TaskFilter) -> Document<Vec<Board>>;
        fn list_events(member: &Member, range: &EventRange) -> Document<Vec<Event>>;
        fn list_overlapping_events(member: &Member, range: &Range<Timestamp>) -> Document<Vec<Event>>;
        fn list_shopping(member: &Member) -> Document<Vec<ShoppingList>>;
        fn list_notes(member: &Member) -> Document<Vec<Note>>;
        fn find_task_stats(member: &Member, periods: &StatsPeriods) -> Document<TaskStats>;
        fn list_members(member: &Member) -> Document<Vec<Person>>;
        fn list_restorable(member: &Member, query: &RestorableQuery) -> Vec<RestorableEntry>;
        fn list_changes(member: &Member, query: &ChangesQuery) -> FoundChanges;
    }
}

/// Implements the methods that write a record.
macro_rules! writes {
    ($($method:ident: $Record:ident,)*) => {
        delegate! {
            WriteStorage to memory {
                fn forget_old_deleted(until: Timestamp, limit: u32) -> u64;
                fn forget_surplus_deleted(
                    family: &FamilyId, kind: RecordKind, keep: DeletedRecordLimit, limit: u32
                ) -> u64;
                fn delete_old_changes(until: Timestamp, limit: u32) -> u64;
                fn delete_surplus_changes(family: &FamilyId, keep: u32, limit: u32) -> u64;
                fn delete_old_idempotency_keys(until: Timestamp, limit: u32) -> u64;
                fn delete_surplus_idempotency_keys(member: &Member, keep: u32, limit: u32) -> u64;
            }

            fn capabilities(&self) -> Capabilities {
                match self.flaw {
                    Flaw::ExceedsCapabilities => Capabilities::updates(),
                    _ => FamilyStore::capabilities(&self.rows),
                }
            }

            async fn delete_checked_items(
                &self,
                author: &Author,
                list: &ListId,
                now: Timestamp,
            ) -> Result<Written<Vec<ShoppingItem>>, StorageError> {
                self.rows.delete_checked_items(author, list, now).await
            }

            $(async fn $method(
                &self,
                author: &Author,
                write: &RecordWrite<$Record>,
            ) -> Result<Written<$Record>, StorageError> {
                self.write(author, write).await
            })*
        }
    };
}

family_api_core::for_each_kind!(writes);

delegate! {
    UserStorage to memory {}

    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        self.rows.check_id(user.as_str());
        Ok(self.account(self.memory.find_account(user).await?))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.rows.check_id(user.as_str());
        let mut profile = self.memory.find_profile(user).await?;
        if let (Some(number), Some(profile)) = (self.rows.read_number(), &mut profile) {
            profile.name = number.to_string();
        }
        Ok(profile)
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let updated = self.memory.update_profile(&self.owner(user), change, now).await?;
        let has_new_zone = updated.is_some() && change.time_zone().is_some();
        if has_new_zone && self.flaw == Flaw::KeepsTheRevision {
            self.new_zones.fetch_add(1, Ordering::SeqCst);
        }
        let switches_off = updated.is_some() && change.personal_api_enabled() == Some(false);
        if (switches_off || has_new_zone) && self.flaw == Flaw::ChangesProfilesOfTheFamily {
            for person in self.family_of(&user.user).await? {
                self.memory.update_profile(&person.id.into(), change, now).await?;
            }
        }
        Ok(updated)
    }
}

delegate! {
    KeyStorage to memory {
        fn list_keys(user: &UserId, now: Timestamp) -> Vec<IntegrationKey>;
        fn record_uses(keys: &[KeyDigest], at: Timestamp) -> ();
        fn delete_ended_keys(until: Timestamp, spared: &[KeyDigest], limit: u32) -> u64;
        fn delete_surplus_keys(user: &UserId, until: Timestamp, keep: u32, spared: &[KeyDigest], limit: u32) -> u64;
    }

    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        let new = NewKey { owner: self.owner(&new.owner), ..new.clone() };
        match self.flaw {
            Flaw::WritesWithoutLock => {
                let keys = self.memory.list_keys(&new.owner.user, new.key.created_at).await?;
                yield_now().await;
                self.memory.insert_key(&new, if keys.len() < limit as usize { u32::MAX } else { 0 }).await
            }
            Flaw::ReportsSuccess => Ok(self.memory.insert_key(&new, limit).await.unwrap_or(KeyInsert::Inserted)),
            _ => self.memory.insert_key(&new, limit).await,
        }
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let found = self.memory.find_key(digest).await?;
        Ok(found.map(|found| FoundKey { account: self.account(found.account.clone()), ..found }))
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        let revocation = self.memory.revoke_key(&self.owner(user), key, now).await?;
        Ok(if self.flaw == Flaw::ReportsSuccess { KeyRevocation::Revoked } else { revocation })
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        self.memory.revoke_access(&self.owner(user), now).await
    }
}

delegate! {
    CredentialStorage to memory {
        fn find_password(email: &str) -> Option<(UserId, Option<PasswordHash>)>;
        fn find_session(digest: &KeyDigest, now: Timestamp) -> Option<UserId>;
        fn delete_expired_sessions(now: Timestamp, limit: u32) -> u64;
        fn delete_surplus_sessions(user: &UserId, keep: u32, limit: u32) -> u64;
    }

    async fn update_password(&self, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError> {
        Ok(self.memory.update_password(user, password).await? || self.flaw == Flaw::ReportsSuccess)
    }

    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
        let inserted = self.memory.insert_session(session, verified).await;
        if self.flaw == Flaw::ReportsSuccess { Ok(true) } else { inserted }
    }

    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError> {
        Ok(self.memory.delete_session(digest).await? || self.flaw == Flaw::ReportsSuccess)
    }
}

delegate! {
    GrantStorage to memory {
        fn find_grant(by: GrantLookup<'_>) -> Option<StoredGrant>;
        fn find_access_token(digest: &KeyDigest) -> Option<FoundAccessToken>;
        fn list_grants(user: &UserId, now: Timestamp) -> Vec<Connection>;
        fn list_misused_grants(user: &UserId, since: Timestamp, limit: u32) -> Vec<MisusedConnection>;
        fn record_grant_uses(grants: &[GrantId], at: Timestamp) -> ();
        fn delete_ended_grants(until: Timestamp, misused_until: Timestamp, limit: u32) -> u64;
        fn signing_key(fresh: [u8; 32]) -> [u8; 32];
    }

    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
        let new = NewGrant { owner: self.owner(&new.owner), ..new.clone() };
        match self.flaw {
            Flaw::WritesWithoutLock => {
                let grants = self.memory.list_grants(&new.owner.user, new.created_at).await?;
                yield_now().await;
                self.memory.insert_grant(&new, if grants.len() < limit as usize { u32::MAX } else { 0 }).await
            }
            Flaw::ReportsSuccess => {
                let _ = self.memory.insert_grant(&new, limit).await;
                Ok(GrantInsert::Inserted { replaced: None })
            }
            _ => self.memory.insert_grant(&new, limit).await,
        }
    }

    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError> {
        Ok(self.memory.issue_tokens(issue).await? || self.flaw == Flaw::ReportsSuccess)
    }

    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        let revocation = self.memory.revoke_grant(&self.owner(user), grant, now).await?;
        Ok(if self.flaw == Flaw::ReportsSuccess { GrantRevocation::Revoked } else { revocation })
    }

    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError> {
        Ok(self.memory.end_grant(grant, now, misuse).await? || self.flaw == Flaw::ReportsSuccess)
    }
}

delegate! {
    FeedStorage to memory {
        fn find_feed(digest: &KeyDigest) -> Option<FoundFeed>;
        fn list_feeds(user: &UserId, now: Timestamp) -> Vec<CalendarFeed>;
        fn record_feed_uses(feeds: &[KeyDigest], at: Timestamp) -> ();
        fn record_left_out(feed: &KeyDigest, left_out: u32) -> ();
        fn delete_expired_feeds(now: Timestamp, limit: u32) -> u64;
    }

    async fn insert_feed(&self, new: &NewFeed, limit: u32) -> Result<FeedInsert, StorageError> {
        let new = NewFeed { owner: self.owner(&new.owner), ..new.clone() };
        if self.flaw != Flaw::WritesWithoutLock {
            return self.memory.insert_feed(&new, limit).await;
        }
        let feeds = self.memory.list_feeds(&new.owner.user, new.feed.created_at).await?;
        yield_now().await;
        self.memory.insert_feed(&new, if feeds.len() < limit as usize { u32::MAX } else { 0 }).await
    }

    async fn update_feed(
        &self,
        user: &SignedIn,
        feed: &FeedId,
        update: &FeedUpdate,
        now: Timestamp,
    ) -> Result<FeedWrite<CalendarFeed>, StorageError> {
        self.memory.update_feed(&self.owner(user), feed, update, now).await
    }

    async fn delete_feed(&self, user: &SignedIn, feed: &FeedId, now: Timestamp) -> Result<FeedWrite<()>, StorageError> {
        self.memory.delete_feed(&self.owner(user), feed, now).await
    }
}

//! Import of family data: a load fills a copy of the data, and the commit replaces the data with the copy.

use async_trait::async_trait;

use crate::MemoryStorage;
use crate::feeds::StoredFeed;
use crate::state::{Family, State, StoredKey, owned};
use family_api_core::access::KeyState;
use family_api_core::calendar::ZoneName;
use family_api_core::id::FamilyId;
use family_api_core::storage::table::ScopedId;
use family_api_core::storage::{
    BulkLoad, FamilyData, FeedRecord, KeyRecord, LoadError, LoadFault, Loader, Record, StorageError, first_member_zone,
};

#[async_trait]
impl BulkLoad for MemoryStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        let mut shared = self.lock_to_write()?;
        shared.loading = true;
        let mut state = shared.state.clone();
        state.collect_records();
        Ok(Box::new(MemoryLoader { storage: self.clone(), state: Some(state), number: 0 }))
    }
}

struct MemoryLoader {
    storage: MemoryStorage,
    /// The copy that the load fills. `None` after a record was refused.
    state: Option<State>,
    number: u64,
}

#[async_trait]
impl Loader for MemoryLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.number += 1;
        let record = record.into_stored()?;
        let mut state = self.take_state()?;
        let id = record.id().to_owned();
        state.insert(record).map_err(|fault| LoadError::Refused { number: self.number, id, fault })?;
        self.state = Some(state);
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        let mut state = self.take_state()?;
        state.records.clear();
        state.set_event_zones();
        self.storage.lock()?.state = state;
        Ok(())
    }
}

impl MemoryLoader {
    fn take_state(&mut self) -> Result<State, StorageError> {
        self.state.take().ok_or_else(|| StorageError::backend("a record of this load was refused before"))
    }
}

impl Drop for MemoryLoader {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.storage.lock() {
            shared.loading = false;
        }
    }
}

impl State {
    fn insert(&mut self, record: Record) -> Result<(), LoadFault> {
        for (reference, id) in record.references() {
            if !self.contains(id) {
                return Err(LoadFault::no_parent(&reference.field()));
            }
        }
        require_unused("id", !self.contains(record.record_id()))?;
        match &record {
            Record::User(new) => require_unused("email", !self.users.values().any(|user| user.email == new.email))?,
            Record::CalendarFeed(new) => {
                require_unused("secretHash", !self.feeds.values().any(|feed| feed.digest == new.digest))?;
            }
            Record::Key(new) => require_unused("tokenHash", !self.keys.values().any(|key| key.digest == new.digest))?,
            _ => (),
        }
        if record.record_id().family.is_some() {
            self.records.insert(owned(record.record_id()));
        }
        self.insert_valid(record);
        Ok(())
    }

    /// Returns whether a record exists.
    fn contains(&self, id: ScopedId<'_>) -> bool {
        match id.kind {
            "family" => self.families.keys().any(|family| family.as_str() == id.id),
            "user" => self.users.keys().any(|user| user.as_str() == id.id),
            "calendarFeed" => self.feeds.keys().any(|feed| feed.as_str() == id.id),
            "key" => self.keys.keys().any(|key| key.as_str() == id.id),
            _ => self.records.contains(&owned(id)),
        }
    }

    fn insert_valid(&mut self, record: Record) {
        if let Some(family) = record.family().and_then(|family| family.parse::<FamilyId>().ok()) {
            self.change(&family).insert(record.clone());
        }
        match record {
            Record::Family(family) => drop(self.families.insert(family.id, Family::new())),
            Record::User(user) => drop(self.users.insert(user.id.clone(), user)),
            Record::Key(key) => drop(self.keys.insert(key.id.clone(), stored_key(key))),
            Record::CalendarFeed(feed) => drop(self.feeds.insert(feed.id.clone(), stored_feed(feed))),
            _ => {}
        }
    }

    /// Sets the zone of each event without one to that of its family's first member.
    fn set_event_zones(&mut self) {
        for (id, family) in &mut self.families {
            let without_zone = family.data.events.iter_mut().filter(|event| event.time_zone.is_none());
            let mut without_zone = without_zone.peekable();
            if without_zone.peek().is_none() {
                continue;
            }
            let members = self.users.values().filter(|user| user.family_id.as_ref() == Some(id));
            let zone = first_member_zone(
                members.map(|user| (user.created_at, user.id.clone(), ZoneName::from(&user.time_zone))),
            );
            family.revision += 1;
            without_zone.for_each(|event| event.time_zone = Some(zone.clone()));
        }
    }

    fn change(&mut self, family: &FamilyId) -> &mut FamilyData {
        let family = self.families.entry(family.clone()).or_insert_with(Family::new);
        family.revision += 1;
        &mut family.data
    }
}

fn require_unused(field: &str, is_unused: bool) -> Result<(), LoadFault> {
    if is_unused { Ok(()) } else { Err(LoadFault::exists(field)) }
}

fn stored_key(record: KeyRecord) -> StoredKey {
    StoredKey {
        user: record.user_id.clone(),
        digest: record.digest,
        state: record.revoked_at.map_or(KeyState::Active, |at| KeyState::Revoked { at }),
        key: record.into(),
    }
}

fn stored_feed(record: FeedRecord) -> StoredFeed {
    StoredFeed { user: record.user_id.clone(), digest: record.digest, sequence: record.sequence, feed: record.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(id: &str) -> Record {
        let json = format!(
            r#"{{"type":"family","id":"{id}","name":"x","createdAt":"2026-11-20T12:00:00Z","updatedAt":"2026-11-20T12:00:00Z"}}"#
        );
        Record::from_json(json.as_bytes()).unwrap()
    }

    #[tokio::test]
    async fn only_one_load_can_be_in_progress() {
        let storage = MemoryStorage::new();
        let load = storage.begin_load().await.unwrap();
        assert!(matches!(storage.begin_load().await, Err(StorageError::Unavailable(_))));
        drop(load);
        assert!(storage.begin_load().await.is_ok());
    }

    #[tokio::test]
    async fn a_load_with_a_refused_record_cannot_be_committed() {
        let storage = MemoryStorage::new();
        let mut load = storage.begin_load().await.unwrap();
        load.insert(family("north")).await.unwrap();
        assert!(matches!(load.insert(family("north")).await, Err(LoadError::Refused { number: 2, .. })));
        assert!(load.insert(family("south")).await.is_err());
        assert!(load.commit().await.is_err());
        assert!(storage.lock().unwrap().state.families.is_empty());
    }
}

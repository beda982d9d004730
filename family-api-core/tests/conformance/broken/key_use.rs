//! Flaws of the last use of keys. In the suite, the token of a key is its id, so the digest is computed from the id.

use family_api_core::Timestamp;
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::Revision;
use family_api_core::storage::{FoundKey, KeyState, KeyStorage, StorageError};

use crate::broken::{BrokenStorage, Flaw};

impl BrokenStorage {
    pub(super) async fn record_uses_with_flaw(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.history().uses.extend(keys.iter().map(|key| (*key, at)));
        match self.flaw {
            Some(Flaw::RecordsNoUses) => Ok(()),
            Some(Flaw::RecordsUsesOfEveryKey) => {
                let mut all_keys = Vec::new();
                let members = self.history().members.clone();
                for member in members {
                    let keys = self.inner.list_keys(&member.user, Timestamp::MIN).await?;
                    all_keys.extend(keys.iter().map(digest));
                }
                self.inner.record_uses(&all_keys, at).await
            }
            Some(Flaw::FailsOnUsesOfUnknownKeys) => {
                for key in keys {
                    self.inner.find_key(key).await?.ok_or(StorageError::corrupt("no such key"))?;
                }
                self.inner.record_uses(keys, at).await
            }
            _ => self.inner.record_uses(keys, at).await,
        }
    }

    pub(super) fn apply_flaws_to_found_key(&self, found: &mut FoundKey) {
        self.set_last_use(&mut found.key);
        if self.has(Flaw::ReactivatesUsedKeys) && self.last_recorded_use(&found.key).is_some() {
            found.state = KeyState::Active;
        }
    }

    pub(super) fn apply_flaws_to_listed_key(&self, key: &mut IntegrationKey) {
        self.set_last_use(key);
        key.last_used_at.take_if(|_| self.has(Flaw::ListsKeysWithoutLastUse));
    }

    fn set_last_use(&self, key: &mut IntegrationKey) {
        if self.has(Flaw::MovesTheLastUseBackwards) {
            key.last_used_at = self.last_recorded_use(key);
        }
    }

    fn last_recorded_use(&self, key: &IntegrationKey) -> Option<Timestamp> {
        let history = self.history();
        history.uses.iter().rev().find(|(used, _)| *used == digest(key)).map(|(_, at)| *at)
    }

    pub(super) fn add_uses_to_revision(&self, revision: &mut Option<Revision>) {
        if self.has(Flaw::CountsUsesAsChanges) {
            let uses = i64::try_from(self.history().uses.len()).unwrap();
            *revision = revision.map(|revision| Revision::new(revision.get() + uses));
        }
    }
}

fn digest(key: &IntegrationKey) -> KeyDigest {
    KeyDigest::of(key.id.as_str())
}

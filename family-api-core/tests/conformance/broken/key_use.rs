//! Flaws of the keys' last use. The digest of a key is that of its id here, as the suite makes them.

use family_api_core::Timestamp;
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::Revision;
use family_api_core::storage::{FoundKey, KeyState, KeyStorage, StorageError};

use crate::broken::{Broken, Flaw};

impl Broken {
    pub(super) async fn record_uses_with_flaw(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.memory().uses.extend(keys.iter().map(|key| (*key, at)));
        match self.flaw {
            Some(Flaw::RecordsNoUses) => Ok(()),
            Some(Flaw::RecordsUsesOfEveryKey) => {
                let mut all = Vec::new();
                let members = self.memory().members.clone();
                for member in members {
                    let keys = self.sound.list_keys(&member.user, Timestamp::MIN).await?;
                    all.extend(keys.iter().map(digest));
                }
                self.sound.record_uses(&all, at).await
            }
            Some(Flaw::StumblesOverUnknownKeys) => {
                for key in keys {
                    self.sound.find_key(key).await?.ok_or(StorageError::corrupt("no such key"))?;
                }
                self.sound.record_uses(keys, at).await
            }
            _ => self.sound.record_uses(keys, at).await,
        }
    }

    pub(super) fn find_with_flawed_use(&self, found: &mut FoundKey) {
        self.date(&mut found.key);
        if self.has(Flaw::RevivesUsedKeys) && self.last_written(&found.key).is_some() {
            found.state = KeyState::Active;
        }
    }

    pub(super) fn list_with_flawed_use(&self, key: &mut IntegrationKey) {
        self.date(key);
        key.last_used_at.take_if(|_| self.has(Flaw::ListsKeysWithoutTheirUse));
    }

    fn date(&self, key: &mut IntegrationKey) {
        if self.has(Flaw::RecordsUsesInAnyOrder) {
            key.last_used_at = self.last_written(key);
        }
    }

    fn last_written(&self, key: &IntegrationKey) -> Option<Timestamp> {
        let memory = self.memory();
        memory.uses.iter().rev().find(|(used, _)| *used == digest(key)).map(|(_, at)| *at)
    }

    pub(super) fn count_uses(&self, revision: &mut Option<Revision>) {
        if self.has(Flaw::CountsUsesAsChanges) {
            let uses = i64::try_from(self.memory().uses.len()).unwrap();
            *revision = revision.map(|revision| Revision::new(revision.get() + uses));
        }
    }
}

fn digest(key: &IntegrationKey) -> KeyDigest {
    KeyDigest::of(key.id.as_str())
}

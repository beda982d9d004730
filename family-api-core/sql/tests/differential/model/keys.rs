//! Integration keys (HTTP reference, "Sessions and keys").

use std::cmp::Reverse;

use family_api_core::Timestamp;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, KeyMode, Scope, ScopeSet};
use family_api_core::storage::{FoundKey, KeyCondition, KeyInsert, KeyRecord, KeyRevocation, KeyState, NewKey};

use super::{Model, build_resource};
use crate::step::Token;
use crate::step_result::StepResult;

impl Model {
    /// Checks the condition before the limit. Expired and revoked keys do not count towards the limit.
    pub(super) fn insert_key(&mut self, new: &NewKey, limit: u32) -> StepResult {
        let active = self.active_keys(&new.owner.user, new.key.created_at).count();
        StepResult::KeyInsert(match (self.user(&new.owner.user), new.condition) {
            (None, KeyCondition::UserExists | KeyCondition::PersonalApiEnabled) => KeyInsert::NotSignedIn,
            (Some(user), KeyCondition::PersonalApiEnabled) if !user.personal_api_enabled => {
                KeyInsert::PersonalApiDisabled
            }
            _ if active >= limit as usize => KeyInsert::LimitReached,
            _ if self.keys.iter().any(|key| key.digest == new.digest) => return StepResult::Fault(String::new()),
            _ => {
                self.keys.push(record(new.clone()));
                self.writes += 1;
                KeyInsert::Inserted
            }
        })
    }

    pub(super) fn find_key(&self, digest: &KeyDigest) -> Option<FoundKey> {
        let key = self.keys.iter().find(|key| key.digest == *digest)?;
        Some(FoundKey {
            key: self.key_resource(key),
            state: key.revoked_at.map_or(KeyState::Active, |at| KeyState::Revoked { at }),
            user: key.user_id.clone(),
            account: self.account(&key.user_id),
        })
    }

    /// Returns active keys only, newest first, then by id descending.
    pub(super) fn list_keys(&self, user: &UserId, now: Timestamp) -> Vec<IntegrationKey> {
        let mut keys: Vec<_> = self.active_keys(user, now).map(|key| self.key_resource(key)).collect();
        keys.sort_by_key(|key| Reverse((key.created_at, key.id.clone())));
        keys
    }

    pub(super) fn revoke_key(&mut self, user: &UserId, id: &KeyId, now: Timestamp) -> KeyRevocation {
        let mut revocable = self.keys.iter_mut().filter(|key| key.user_id == *user && key.revoked_at.is_none());
        let Some(key) = revocable.find(|key| key.id == *id) else {
            return KeyRevocation::NotFound;
        };
        key.revoked_at = Some(now);
        self.writes += 1;
        KeyRevocation::Revoked
    }

    /// Sets the time of the last use of each key, except if the stored time is later. Skips tokens of unknown keys.
    pub(super) fn record_uses(&mut self, tokens: &[Token], at: Timestamp) -> StepResult {
        for digest in tokens.iter().map(Token::digest) {
            if self.keys.iter().any(|key| key.digest == digest) {
                let last = self.uses.entry(digest).or_insert(at);
                *last = at.max(*last);
            }
        }
        StepResult::Written
    }

    fn active_keys(&self, user: &UserId, now: Timestamp) -> impl Iterator<Item = &KeyRecord> {
        let is_current = move |key: &KeyRecord| key.expires_at.is_none_or(|expires_at| now < expires_at);
        let of_user = self.keys.iter().filter(move |key| key.user_id == *user);
        of_user.filter(move |key| key.revoked_at.is_none() && is_current(key))
    }

    fn key_resource(&self, key: &KeyRecord) -> IntegrationKey {
        build_resource! { IntegrationKey of key:
            id scopes name hint created_at expires_at;
            mode = mode_of(&key.scopes),
            last_used_at = self.uses.get(&key.digest).copied()
        }
    }
}

fn record(new: NewKey) -> KeyRecord {
    KeyRecord {
        id: new.key.id,
        user_id: new.owner.user,
        name: new.key.name,
        hint: new.key.hint,
        digest: new.digest,
        scopes: new.key.scopes,
        created_at: new.key.created_at,
        expires_at: new.key.expires_at,
        revoked_at: None,
    }
}

/// Returns the mode that has exactly these scopes, or `None` if no mode has them.
pub(crate) fn mode_of(scopes: &ScopeSet) -> Option<KeyMode> {
    let mut names: Vec<&str> = scopes.iter().map(Scope::as_str).collect();
    names.sort_unstable();
    names.dedup();
    match names[..] {
        ["mcp.read"] => Some(KeyMode::McpRead),
        ["mcp.read", "v1.read"] => Some(KeyMode::V1Read),
        ["mcp.read", "v1.notes.write", "v1.read", "v1.tasks.write"] => Some(KeyMode::V1ReadWrite),
        [
            "mcp.read",
            "v1.boards.manage",
            "v1.events.write",
            "v1.notes.manage",
            "v1.notes.write",
            "v1.read",
            "v1.shopping.write",
            "v1.tasks.manage",
            "v1.tasks.write",
        ] => Some(KeyMode::V1Full),
        _ => None,
    }
}

//! The life of integration keys.

use crate::Timestamp;
use crate::access::Caller;
use crate::audit::AuditEvent;
use crate::change::{Json, Reference};
use crate::error::Error;
use crate::id::KeyId;
use crate::key::{
    CreatedKey, IntegrationKey, KeyDraft, KeyList, KeyMode, KeySecret, RandomnessUnavailable, RevokedKey,
};
use crate::service::FamilyApi;
use crate::service::purge::Step;
use crate::storage::{KeyCondition, KeyInsert, NewKey};

/// The permission to manage the caller's integration keys.
#[derive(Debug, Clone, Copy)]
pub struct Keys<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl Keys<'_> {
    /// Reads the body of a creation; an expiry is judged by the API's clock.
    ///
    /// # Errors
    /// [`Error::InvalidField`] with every fault of the body.
    pub fn draft(&self, body: Json) -> Result<KeyDraft, Error> {
        KeyDraft::from_body(body, self.now()).map_err(Error::InvalidField)
    }

    fn now(&self) -> Timestamp {
        self.api.clock.now()
    }

    /// The keys that the caller has ended may now be too many.
    fn add_purge(&self) {
        self.api.purges.add(Step::SurplusKeys(self.caller.user().clone()));
    }

    /// Creates a key; its plaintext is in the answer and nowhere else.
    ///
    /// # Errors
    /// [`Error::InvalidField`] for values that do not fit, [`Error::ApiDisabledForKey`], [`Error::KeyLimitReached`],
    /// [`Error::NotSignedIn`] where the user is gone meanwhile, [`Error::Unavailable`] where the operating system gives no random bytes, or the storage's fault.
    pub async fn create(&self, draft: KeyDraft) -> Result<CreatedKey, Error> {
        draft.check(self.now()).map_err(Error::InvalidField)?;
        let secret = KeySecret::mint(&self.api.prefix).map_err(no_randomness)?;
        let key = self.draw_up(draft, &secret)?;
        let new = NewKey { condition: condition(&key), digest: secret.digest(), user: self.caller.user().clone(), key };
        let (user, key, scopes) = (new.user.clone(), new.key.id.clone(), new.key.scopes.clone());
        let act = self.api.begin(AuditEvent::KeyCreated { user, key, scopes });
        let inserted = self.api.storage.insert_key(&new, self.api.key_limit).await?;
        act.settle(inserted == KeyInsert::Inserted);
        match inserted {
            KeyInsert::Inserted => {
                self.add_purge();
                Ok(CreatedKey::new(new.key, &secret))
            }
            KeyInsert::NoUser => Err(Error::NotSignedIn),
            KeyInsert::PersonalApiDisabled => Err(Error::ApiDisabledForKey),
            KeyInsert::LimitReached => Err(Error::KeyLimitReached { limit: self.api.key_limit }),
        }
    }

    fn draw_up(&self, draft: KeyDraft, secret: &KeySecret) -> Result<IntegrationKey, Error> {
        let now = self.now();
        let mut random = [0; 10];
        getrandom::fill(&mut random).map_err(|_| no_randomness(RandomnessUnavailable))?;
        Ok(IntegrationKey {
            id: KeyId::new_v7(now, random),
            mode: Some(draft.mode),
            scopes: draft.mode.scopes(),
            name: draft.name,
            hint: secret.hint(&self.api.prefix),
            created_at: now,
            expires_at: draft.expires_at,
            last_used_at: None,
        })
    }

    /// The caller's active keys, newest first.
    ///
    /// # Errors
    /// The storage's fault.
    pub async fn list(&self) -> Result<KeyList, Error> {
        let tokens = self.api.storage.list_keys(self.caller.user(), self.now()).await?;
        Ok(KeyList { tokens })
    }

    /// Revokes a key: when it returns, the key opens nothing, on no node.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the key is not the caller's own, not there or already revoked; or the storage's fault.
    pub async fn revoke(&self, key: &Reference<KeyId>) -> Result<RevokedKey, Error> {
        let key = key.id().ok_or(Error::NotFound)?;
        let now = self.now();
        let act = self.api.begin(AuditEvent::KeyRevoked { user: self.caller.user().clone(), key: key.clone() });
        let revoked = self.api.storage.revoke_key(self.caller.user(), key, now).await?;
        act.settle(revoked);
        if !revoked {
            return Err(Error::NotFound);
        }
        self.add_purge();
        Ok(RevokedKey { ok: true, id: key.clone(), revoked_at: now })
    }
}

fn condition(key: &IntegrationKey) -> KeyCondition {
    if key.mode.is_some_and(KeyMode::needs_personal_api) {
        KeyCondition::PersonalApiEnabled
    } else {
        KeyCondition::UserExists
    }
}

fn no_randomness(source: RandomnessUnavailable) -> Error {
    Error::Unavailable(Box::new(source))
}

//! The life of integration keys.

use crate::Timestamp;
use crate::audit::AuditEvent;
use crate::change::{Json, Reference};
use crate::error::Error;
use crate::id::KeyId;
use crate::key::{
    CreatedKey, IntegrationKey, KeyDraft, KeyList, KeyMode, KeySecret, RandomnessUnavailable, RevokedKey,
};
use crate::service::FamilyApi;
use crate::service::purge::Step;
use crate::storage::{KeyCondition, KeyInsert, KeyRevocation, NewKey, SignedIn};

/// The permission to manage the caller's integration keys.
#[derive(Debug, Clone)]
pub struct KeyService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) owner: SignedIn,
}

impl KeyService<'_> {
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
        self.api.purges.add(Step::SurplusKeys(self.owner.user.clone()));
    }

    /// Creates a key; its plaintext is in the answer and nowhere else.
    ///
    /// # Errors
    /// [`Error::InvalidField`] for values that do not fit, [`Error::ApiDisabledForKey`], [`Error::KeyLimitReached`],
    /// [`Error::NotSignedIn`] if the session has ended or the user is gone meanwhile, [`Error::Unavailable`] if the
    /// operating system gives no random bytes, or the storage's fault.
    pub async fn create(&self, draft: KeyDraft) -> Result<CreatedKey, Error> {
        draft.check(self.now()).map_err(Error::InvalidField)?;
        let secret = KeySecret::mint(&self.api.prefix).map_err(no_randomness)?;
        let key = self.draw_up(draft, &secret)?;
        let new = NewKey { condition: condition(&key), digest: secret.digest(), owner: self.owner.clone(), key };
        let (user, key, scopes) = (new.owner.user.clone(), new.key.id.clone(), new.key.scopes.clone());
        let pending = self.api.begin(AuditEvent::KeyCreated { user, key, scopes });
        let inserted = self.api.storage.insert_key(&new, self.api.key_limit).await?;
        pending.complete(inserted == KeyInsert::Inserted);
        match inserted {
            KeyInsert::Inserted => {
                self.add_purge();
                Ok(CreatedKey::new(new.key, &secret))
            }
            KeyInsert::NotSignedIn => Err(Error::NotSignedIn),
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
        let tokens = self.api.storage.list_keys(&self.owner.user, self.now()).await?;
        Ok(KeyList { tokens })
    }

    /// Revokes a key: when it returns, the key opens nothing, on no node.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the key is not the caller's own, does not exist or is already revoked;
    /// [`Error::NotSignedIn`] if the session has ended meanwhile; or the storage's fault.
    pub async fn revoke(&self, key: &Reference<KeyId>) -> Result<RevokedKey, Error> {
        let key = key.id().ok_or(Error::NotFound)?;
        let now = self.now();
        let pending = self.api.begin(AuditEvent::KeyRevoked { user: self.owner.user.clone(), key: key.clone() });
        let revocation = self.api.storage.revoke_key(&self.owner, key, now).await?;
        pending.complete(revocation == KeyRevocation::Revoked);
        match revocation {
            KeyRevocation::Revoked => {
                self.add_purge();
                Ok(RevokedKey { ok: true, id: key.clone(), revoked_at: now })
            }
            KeyRevocation::NotFound => Err(Error::NotFound),
            KeyRevocation::NotSignedIn => Err(Error::NotSignedIn),
        }
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

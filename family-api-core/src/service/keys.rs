//! Creates, lists and revokes integration keys.

use tracing::instrument;

use crate::Timestamp;
use crate::access::SignedIn;
use crate::audit::AuditEvent;
use crate::error::Error;
use crate::id::KeyId;
use crate::key::{CreatedKey, IntegrationKey, KeyDraft, KeyList, KeyMode, KeySecret, PlainToken, RevokedKey};
use crate::logged_id::loggable_text;
use crate::service::FamilyApi;
use crate::service::purge::PurgeStep;
use crate::service::records::new_id;
use crate::service::storage_call::StorageCall;
use crate::storage::{KeyCondition, KeyInsert, KeyRevocation, NewKey};
use crate::validation::{Json, Reference};

/// A handle to manage the caller's integration keys.
#[derive(Debug, Clone)]
pub struct KeyService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) owner: SignedIn,
}

impl KeyService<'_> {
    pub(super) fn now(&self) -> Timestamp {
        self.api.clock.now()
    }

    /// Schedules a purge of the caller's ended keys, which can now exceed the maximum.
    pub(super) fn schedule_purge(&self) {
        self.api.schedule_purge(PurgeStep::SurplusKeys(self.owner.user.clone()));
    }

    /// Creates a key. The returned value is the only place that contains the plaintext.
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if a value is invalid.
    /// - [`Error::ApiDisabledForKey`] if the mode needs the personal API and it is switched off.
    /// - [`Error::KeyLimitReached`] if the user already has the maximum number of active keys.
    /// - [`Error::NotSignedIn`] if the session has ended or the user was deleted during the request.
    /// - [`Error::Unavailable`] if the operating system returns no random bytes.
    /// - The error of the storage.
    pub async fn create(&self, draft: KeyDraft) -> Result<CreatedKey, Error> {
        self.create_from_body(Json::of(&draft)).await
    }

    /// Creates a key from the body of a request, as [`create`](Self::create) does from a draft.
    ///
    /// # Errors
    /// The errors of [`create`](Self::create).
    #[instrument(level = "debug", name = "create_key", skip_all, fields(user = %self.owner.user))]
    pub async fn create_from_body(&self, body: Json) -> Result<CreatedKey, Error> {
        let draft = KeyDraft::from_body(body, self.api.key_modes, self.now()).map_err(Error::InvalidField)?;
        let secret = KeySecret::generate(&self.api.prefix)?;
        let key = self.new_key(draft, &secret)?;
        let new = NewKey { condition: key_condition(&key), digest: secret.digest(), owner: self.owner.clone(), key };
        let (user, key, scopes) = (new.owner.user.clone(), new.key.id.clone(), new.key.scopes.clone());
        let pending = self.api.begin_event(AuditEvent::KeyCreated { user, key, scopes });
        let inserted = self.api.storage.insert_key(&new, self.api.key_limit).traced("insert_key").await?;
        pending.complete(inserted == KeyInsert::Inserted);
        match inserted {
            KeyInsert::Inserted => {
                self.schedule_purge();
                Ok(CreatedKey::new(new.key, PlainToken::new(secret.expose())))
            }
            KeyInsert::NotSignedIn => Err(Error::NotSignedIn),
            KeyInsert::PersonalApiDisabled => Err(Error::ApiDisabledForKey),
            KeyInsert::LimitReached => Err(Error::KeyLimitReached { limit: self.api.key_limit }),
        }
    }

    fn new_key(&self, draft: KeyDraft, secret: &KeySecret) -> Result<IntegrationKey, Error> {
        let now = self.now();
        Ok(IntegrationKey {
            id: new_id(now)?,
            mode: Some(draft.mode),
            scopes: draft.mode.scopes(),
            name: draft.name,
            hint: secret.hint(&self.api.prefix),
            created_at: now,
            expires_at: draft.expires_at,
            last_used_at: None,
        })
    }

    /// Returns the caller's active keys, newest first.
    ///
    /// # Errors
    /// The error of the storage.
    #[instrument(level = "debug", name = "list_keys", skip_all, fields(user = %self.owner.user))]
    pub async fn list(&self) -> Result<KeyList, Error> {
        let tokens = self.api.storage.list_keys(&self.owner.user, self.now()).traced("list_keys").await?;
        Ok(KeyList::new(tokens))
    }

    /// Revokes a key. When the call returns, every node refuses the key.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller does not own the key, or the key does not exist or is already revoked.
    /// - [`Error::NotSignedIn`] if the session has ended during the request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "revoke_key", skip_all, fields(user = %self.owner.user, key = key.id().and_then(loggable_text)))]
    pub async fn revoke(&self, key: &Reference<KeyId>) -> Result<RevokedKey, Error> {
        let key = key.id().ok_or(Error::NotFound)?;
        let now = self.now();
        let event = AuditEvent::KeyRevoked { user: self.owner.user.clone(), key: Some(key.clone()) };
        let pending = self.api.begin_event(event);
        let revocation = self.api.storage.revoke_key(&self.owner, key, now).traced("revoke_key").await?;
        pending.complete(revocation == KeyRevocation::Revoked);
        match revocation {
            KeyRevocation::Revoked => {
                self.schedule_purge();
                Ok(RevokedKey::new(key.clone(), now))
            }
            KeyRevocation::NotFound => Err(Error::NotFound),
            KeyRevocation::NotSignedIn => Err(Error::NotSignedIn),
        }
    }
}

fn key_condition(key: &IntegrationKey) -> KeyCondition {
    if key.mode.is_some_and(KeyMode::needs_personal_api) {
        KeyCondition::PersonalApiEnabled
    } else {
        KeyCondition::UserExists
    }
}

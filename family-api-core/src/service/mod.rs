//! The operations of the API for an authorized caller.

mod audit;
mod builder;
mod documents;
mod keys;
mod last_use;
mod notes;
mod profile;
mod purge;
mod read;
mod tasks;

pub use builder::FamilyApiBuilder;
pub use keys::KeyService;
pub use notes::NoteService;
pub use profile::ProfileService;
pub use read::{ReadOutcome, ReadService};
pub use tasks::TaskService;

use std::sync::Arc;

use documents::Documents;
use last_use::LastUse;
use purge::Purges;

use crate::Surface;
use crate::access::{Authenticated, Bearer, Caller, TokenId, authenticate, authorize};
use crate::audit::{AuditEvent, AuditSink};
use crate::clock::Clock;
use crate::error::Error;
use crate::id::UserId;
use crate::key::{EnvironmentTokens, KeyPrefix, Scope};
use crate::limit::RateLimiter;
use crate::storage::{CredentialStorage, SignedIn, Storage};

/// The API over a storage. It is cheap to clone, and all requests share it.
///
/// Each request is authorized once, by [`authenticate`](Self::authenticate) and [`authorize`](Self::authorize) for a
/// token, or by [`session_caller`](Self::session_caller) for a session. The result is a [`Caller`].
///
/// [`read`](Self::read), [`tasks`](Self::tasks), [`notes`](Self::notes), [`profile`](Self::profile) and
/// [`keys`](Self::keys) check whether the caller has the permission. They return a handle with the operations, or an
/// error with the missing permission.
#[derive(Clone)]
pub struct FamilyApi {
    storage: Arc<dyn Storage>,
    clock: Arc<dyn Clock>,
    environment: Arc<EnvironmentTokens>,
    prefix: KeyPrefix,
    key_limit: u32,
    requests: Option<Arc<RateLimiter<TokenId>>>,
    session_writes: Option<Arc<RateLimiter<UserId>>>,
    credentials: Option<Arc<dyn CredentialStorage>>,
    purges: Arc<Purges>,
    audit: Option<Arc<dyn AuditSink>>,
    last_use: Arc<LastUse>,
    documents: Option<Documents>,
}

impl FamilyApi {
    /// Creates the API over a storage, with the default settings.
    #[must_use]
    pub fn new(storage: Arc<dyn Storage>) -> Self {
        Self::builder(storage).build()
    }

    /// Returns a builder for the API over a storage.
    pub fn builder(storage: Arc<dyn Storage>) -> FamilyApiBuilder {
        FamilyApiBuilder::new(storage)
    }

    /// Recognises a presented token, and counts the request against the rate limit of the token.
    ///
    /// # Errors
    /// [`Error::InvalidToken`], or the error of the storage.
    pub async fn authenticate(&self, bearer: &Bearer, surface: Surface) -> Result<Authenticated, Error> {
        let now = self.clock.now();
        let recognised = authenticate(&*self.storage, &self.environment, &self.prefix, bearer, surface, now).await?;
        let authenticated = recognised.map_err(|refused| self.refuse(refused))?;
        let rate_limit =
            self.requests.as_ref().map(|requests| requests.check(authenticated.token(), self.clock.monotonic()));
        Ok(authenticated.with_rate_limit(rate_limit))
    }

    /// Authorizes a recognised token. Checks the rate limit, the personal API if the surface requires it, and that the
    /// user has a family.
    ///
    /// # Errors
    /// [`Error::RateLimited`], [`Error::ApiDisabled`] or [`Error::NoFamily`], in this order.
    pub fn authorize(&self, authenticated: Authenticated) -> Result<Caller, Error> {
        let key_use = authenticated.key_use();
        let caller = authorize(authenticated).map_err(|refused| self.refuse(refused))?;
        if let Some((digest, stored)) = key_use
            && self.last_use.record(digest, stored, self.clock.now())
        {
            self.begin_key_event(&caller, |user, key| AuditEvent::KeyFirstUsed { user, key }).complete(true);
        }
        Ok(caller)
    }

    /// Authorizes a user whose session the host has checked.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if the user does not exist, or the error of the storage.
    pub async fn session_caller(&self, signed_in: &SignedIn) -> Result<Caller, Error> {
        let account = self.storage.find_account(&signed_in.user).await?;
        account.map(|account| Caller::with_session(account, signed_in.session)).ok_or(Error::NotSignedIn)
    }

    /// Counts a write in a session against the rate limit. An adapter calls it for each request that may change data,
    /// before it reads the body.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if the user has exceeded the limit.
    pub fn count_session_write(&self, caller: &Caller) -> Result<(), Error> {
        match &self.session_writes {
            Some(writes) => writes.check(caller.user(), self.clock.monotonic()).into_result(),
            None => Ok(()),
        }
    }

    /// Returns the handle for reads of the family's resources.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] if a token lacks the read scope of its surface.
    pub fn read<'a>(&'a self, caller: &'a Caller) -> Result<ReadService<'a>, Error> {
        self.permit(caller, caller.require_read()).map(|()| ReadService { api: self, caller })
    }

    /// Returns the handle for the caller's own profile.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] if a token lacks `v1.read`.
    pub fn profile<'a>(&'a self, caller: &'a Caller) -> Result<ProfileService<'a>, Error> {
        self.permit(caller, caller.require(&Scope::V1Read)).map(|()| ProfileService { api: self, caller })
    }

    /// Returns the handle for writes of tasks.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] if a token lacks `v1.tasks.write`.
    pub fn tasks<'a>(&'a self, caller: &'a Caller) -> Result<TaskService<'a>, Error> {
        self.permit(caller, caller.require(&Scope::V1TasksWrite)).map(|()| TaskService { api: self, caller })
    }

    /// Returns the handle for writes of notes.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] if a token lacks `v1.notes.write`.
    pub fn notes<'a>(&'a self, caller: &'a Caller) -> Result<NoteService<'a>, Error> {
        self.permit(caller, caller.require(&Scope::V1NotesWrite)).map(|()| NoteService { api: self, caller })
    }

    /// Returns the handle for the caller's integration keys. Only a caller in a session has access.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if the caller has a token.
    pub fn keys(&self, caller: &Caller) -> Result<KeyService<'_>, Error> {
        caller.signed_in().map(|owner| KeyService { api: self, owner })
    }

    /// Returns whether uses of keys wait for [`record_uses`](Self::record_uses).
    #[must_use]
    pub fn has_unrecorded_uses(&self) -> bool {
        !self.last_use.is_empty()
    }

    /// Writes the pending last uses of keys to the storage, in batches.
    ///
    /// An adapter calls this off the request path, a short time after the first use is pending, so that one batch
    /// contains many uses. It calls this once more before it stops. If a batch fails, its uses stay pending for the
    /// next call, and the other batches are still written.
    ///
    /// # Errors
    /// The error of the storage.
    pub async fn record_uses(&self) -> Result<(), Error> {
        let mut outcome = Ok(());
        for (minute, keys) in self.last_use.pending() {
            for batch in keys.chunks(last_use::BATCH_SIZE) {
                match self.storage.record_uses(batch, minute).await {
                    Ok(()) => self.last_use.remove_written(batch, minute),
                    Err(fault) => outcome = Err(fault.into()),
                }
            }
        }
        outcome
    }

    /// Checks that the storage responds.
    ///
    /// # Errors
    /// The error of the storage.
    pub async fn check(&self) -> Result<(), Error> {
        Ok(self.storage.check().await?)
    }
}

impl std::fmt::Debug for FamilyApi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FamilyApi")
            .field("prefix", &self.prefix)
            .field("key_limit", &self.key_limit)
            .finish_non_exhaustive()
    }
}

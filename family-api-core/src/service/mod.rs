//! What the API does, for a caller who was let in.

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

/// The API of a storage: cheap to clone, shared by every request.
///
/// A request is let in once, by [`authenticate`](Self::authenticate) and [`authorize`](Self::authorize), or by
/// [`session_caller`](Self::session_caller). The [`Caller`] that comes of it is asked for each thing that it wants to do: [`read`](Self::read), [`tasks`](Self::tasks),
/// [`notes`](Self::notes), [`profile`](Self::profile) and [`keys`](Self::keys) answer with a handle, which is the
/// permission, or with the error that says what is missing.
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
    /// The API of a storage, with every setting at its default.
    #[must_use]
    pub fn new(storage: Arc<dyn Storage>) -> Self {
        Self::builder(storage).build()
    }

    /// The API of a storage, to be configured.
    pub fn builder(storage: Arc<dyn Storage>) -> FamilyApiBuilder {
        FamilyApiBuilder::new(storage)
    }

    /// Recognises a presented token, and counts its request.
    ///
    /// # Errors
    /// [`Error::InvalidToken`], or the storage's fault.
    pub async fn authenticate(&self, bearer: &Bearer, surface: Surface) -> Result<Authenticated, Error> {
        let now = self.clock.now();
        let recognised = authenticate(&*self.storage, &self.environment, &self.prefix, bearer, surface, now).await?;
        let authenticated = recognised.map_err(|refused| self.refuse(refused))?;
        let rate_limit =
            self.requests.as_ref().map(|requests| requests.check(authenticated.token(), self.clock.monotonic()));
        Ok(authenticated.with_rate_limit(rate_limit))
    }

    /// Lets in a token that was recognised: it must not come too often, the personal API must be on where the surface
    /// needs it, and the user must have a family.
    ///
    /// # Errors
    /// [`Error::RateLimited`], [`Error::ApiDisabled`], [`Error::NoFamily`], in this order.
    pub fn authorize(&self, authenticated: Authenticated) -> Result<Caller, Error> {
        let key_use = authenticated.key_use();
        let caller = authorize(authenticated).map_err(|refused| self.refuse(refused))?;
        if let Some((digest, known)) = key_use
            && self.last_use.note(digest, known, self.clock.now())
        {
            self.begin_as_key(&caller, |user, key| AuditEvent::KeyFirstUsed { user, key }).complete(true);
        }
        Ok(caller)
    }

    /// Lets in a user whose session the host has checked.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] where there is no such user, or the storage's fault.
    pub async fn session_caller(&self, signed_in: &SignedIn) -> Result<Caller, Error> {
        let account = self.storage.find_account(&signed_in.user).await?;
        account.map(|account| Caller::with_session(account, signed_in.session)).ok_or(Error::NotSignedIn)
    }

    /// Counts a write in a session: an adapter calls it for each request that may change something, before its body is
    /// read.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if the user has made too many in the last minute.
    pub fn count_session_write(&self, caller: &Caller) -> Result<(), Error> {
        match &self.session_writes {
            Some(writes) => writes.check(caller.user(), self.clock.monotonic()).into_result(),
            None => Ok(()),
        }
    }

    /// Reads of the family's resources.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without the read scope of its surface.
    pub fn read<'a>(&'a self, caller: &'a Caller) -> Result<ReadService<'a>, Error> {
        self.permit(caller, caller.require_read()).map(|()| ReadService { api: self, caller })
    }

    /// The caller's own profile.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without `v1.read`.
    pub fn profile<'a>(&'a self, caller: &'a Caller) -> Result<ProfileService<'a>, Error> {
        self.permit(caller, caller.require(&Scope::V1Read)).map(|()| ProfileService { api: self, caller })
    }

    /// Writes of tasks.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without `v1.tasks.write`.
    pub fn tasks<'a>(&'a self, caller: &'a Caller) -> Result<TaskService<'a>, Error> {
        self.permit(caller, caller.require(&Scope::V1TasksWrite)).map(|()| TaskService { api: self, caller })
    }

    /// Writes of notes.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] for a token without `v1.notes.write`.
    pub fn notes<'a>(&'a self, caller: &'a Caller) -> Result<NoteService<'a>, Error> {
        self.permit(caller, caller.require(&Scope::V1NotesWrite)).map(|()| NoteService { api: self, caller })
    }

    /// The caller's integration keys: a session's alone.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] for a token.
    pub fn keys(&self, caller: &Caller) -> Result<KeyService<'_>, Error> {
        caller.signed_in().map(|owner| KeyService { api: self, owner })
    }

    /// Whether there are uses of keys that the storage does not know yet.
    #[must_use]
    pub fn has_unrecorded_uses(&self) -> bool {
        !self.last_use.is_empty()
    }

    /// Writes when keys were last used.
    ///
    /// No request waits for it: an adapter calls it a moment after there is something to write, so that the uses of that
    /// moment go together, and once more before it stops. What could not be written is kept for the next time, and keeps
    /// nothing else from being written.
    ///
    /// # Errors
    /// The storage's fault.
    pub async fn record_uses(&self) -> Result<(), Error> {
        let mut outcome = Ok(());
        for (minute, keys) in self.last_use.waiting() {
            for batch in keys.chunks(last_use::BATCH) {
                match self.storage.record_uses(batch, minute).await {
                    Ok(()) => self.last_use.written(batch, minute),
                    Err(fault) => outcome = Err(fault.into()),
                }
            }
        }
        outcome
    }

    /// Whether the storage answers.
    ///
    /// # Errors
    /// The storage's fault.
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

//! The operations of the API for an authorized caller.

mod admit;
mod audit;
mod background;
mod batch;
mod blocking;
mod builder;
mod calendar;
mod changes;
mod compressed_documents;
mod connections;
mod document_cache;
mod family_loads;
mod feeds;
mod grants;
mod keys;
mod large_documents;
mod last_use;
mod named_user;
mod occurrence_document;
mod overview_document;
mod profile;
mod purge;
mod query;
mod read;
mod read_feed;
mod records;
mod restorable;
mod revoke_access;
mod running;
mod search;
mod select_occurrences;
mod statistics;
mod storage_call;
mod token_verifier;

pub use admit::Admission;
pub use batch::{BatchService, RunningBatch};
pub use builder::FamilyApiBuilder;
pub use connections::ConnectionService;
pub use feeds::FeedService;
pub use grants::GrantService;
pub use keys::KeyService;
pub use profile::ProfileService;
pub use read::{ReadOutcome, ReadService};
pub use read_feed::FeedReader;
pub use records::{CreateOutcome, RecordService, Updated};
pub use restorable::RestorableService;
pub use statistics::{DocumentCacheStatistics, Statistics};
pub use storage_call::StorageCall;
pub use token_verifier::TokenVerifier;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use document_cache::DocumentCache;
use family_loads::FamilyLoads;
use feeds::Feeds;
use grants::Grants;
use large_documents::LargeDocuments;
use last_use::PendingUses;
use purge::PurgeQueue;
use running::RunningSet;
use tracing::instrument;

use crate::Clock;
use crate::Timestamp;
use crate::access::{Author, Caller, Refusal, SignedIn, TokenId, write_scope};
use crate::audit::AuditSink;
use crate::error::Error;
use crate::id::{FamilyId, UserId};
use crate::idempotency::IdempotencyKey;
use crate::key::{EnvironmentTokens, KeyDigest, KeyMode, KeyPrefix, Scope, ScopeSet};
use crate::limit::RateLimiter;
use crate::resource::{RecordKind, Verb};
use crate::storage::{Capabilities, CredentialStorage, Storage};

/// The API over a storage. A clone is cheap and shares all state with the original.
///
/// Each request is authorized once: by [`admit`](Self::admit) for a token, or by
/// [`session_caller`](Self::session_caller) for a session. Both return a [`Caller`].
///
/// A request also spawns a background task on its tokio runtime if work is due: it writes the last use of keys, and
/// deletes ended keys and sessions, old deleted records and old idempotency keys. A host calls
/// [`record_uses`](Self::record_uses) at shutdown.
///
/// [`read`](Self::read), [`records`](Self::records), [`batches`](Self::batches), [`restorable`](Self::restorable),
/// [`profile`](Self::profile), [`keys`](Self::keys) and [`connections`](Self::connections) check whether the caller has
/// the permission. They return a handle with the operations, or an error with the missing permission.
/// [`grants`](Self::grants) takes no caller: it returns the handle for the requests of OAuth clients. A program reads a
/// calendar feed with [`admit_feed`](Self::admit_feed).
#[derive(Clone)]
pub struct FamilyApi {
    storage: Arc<dyn Storage>,
    capabilities: Arc<Capabilities>,
    key_modes: &'static [KeyMode],
    clock: Arc<dyn Clock>,
    environment: Arc<EnvironmentTokens>,
    prefix: KeyPrefix,
    key_limit: u32,
    request_limiter: Option<Arc<RateLimiter<TokenId>>>,
    session_write_limiter: Option<Arc<RateLimiter<UserId>>>,
    credentials: Option<Arc<dyn CredentialStorage>>,
    grants: Option<Arc<Grants>>,
    feeds: Option<Arc<Feeds>>,
    token_verifier: Option<Arc<dyn TokenVerifier>>,
    unknown_user_warnings: Arc<RateLimiter<UserId>>,
    purges: Arc<PurgeQueue>,
    audit: Option<Arc<dyn AuditSink>>,
    pending_uses: Arc<PendingUses<KeyDigest>>,
    is_background_scheduled: Arc<AtomicBool>,
    documents: Option<DocumentCache>,
    loads: FamilyLoads,
    large_documents: LargeDocuments,
    running_creations: Arc<RunningSet<(UserId, IdempotencyKey)>>,
    running_batches: Arc<RunningSet<FamilyId>>,
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

    /// Authorizes a user whose session the host has checked.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if the user does not exist, or the error of the storage.
    #[instrument(level = "debug", skip_all, fields(user = %signed_in.user))]
    pub async fn session_caller(&self, signed_in: &SignedIn) -> Result<Caller, Error> {
        let account = self.find_named_account("session", &signed_in.user).await?.ok_or(Error::NotSignedIn)?;
        self.schedule_background(self.clock.now());
        Ok(Caller::with_session(account, signed_in.session))
    }

    /// Returns the resources, fields and operations that the storage supports.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Returns the modes that a new key can have.
    #[must_use]
    pub fn key_modes(&self) -> &'static [KeyMode] {
        self.key_modes
    }

    /// Returns the scopes that a new connection can have: those of the widest mode, without the scopes of writes that
    /// the storage does not support.
    #[must_use]
    pub fn grantable_scopes(&self) -> ScopeSet {
        let widest = self.key_modes.last().map_or_else(ScopeSet::default, |mode| mode.scopes());
        widest.iter().filter(|scope| self.has_use_for(scope)).cloned().collect()
    }

    /// Returns whether a scope is for reads, or for a write that the storage supports.
    fn has_use_for(&self, scope: &Scope) -> bool {
        let writes = RecordKind::ALL.into_iter().flat_map(|kind| Verb::ALL.map(|verb| (kind, verb)));
        let mut of_scope = writes.filter(|(kind, verb)| write_scope(*kind, *verb) == *scope).peekable();
        of_scope.peek().is_none() || of_scope.any(|(kind, verb)| self.capabilities.supports(kind, verb))
    }

    /// Returns whether the API accepts the tokens of an authorization server of the host
    /// ([`token_verifier`](FamilyApiBuilder::token_verifier)).
    #[must_use]
    pub fn accepts_external_tokens(&self) -> bool {
        self.token_verifier.is_some()
    }

    /// Returns whether the API accepts [environment tokens](FamilyApiBuilder::environment_tokens).
    #[must_use]
    pub fn accepts_environment_tokens(&self) -> bool {
        !self.environment.is_empty()
    }

    /// Returns the current time of the API's clock, for adapters whose own data expires.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Counts a write in a session against the rate limit. An adapter calls this for each request that can change data,
    /// before it reads the body.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if the user has exceeded the limit.
    pub fn count_session_write(&self, caller: &Caller) -> Result<(), Error> {
        match &self.session_write_limiter {
            Some(limiter) => Ok(limiter.check(caller.user(), self.clock.monotonic()).into_result()?),
            None => Ok(()),
        }
    }

    /// Returns a handle for reads of the family's resources.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] if a token lacks the read scope of its surface.
    pub fn read<'a>(&'a self, caller: &'a Caller) -> Result<ReadService<'a>, Error> {
        self.allow(caller, caller.require_read()).map(|()| ReadService { api: self, caller })
    }

    /// Returns a handle for the caller's own profile.
    ///
    /// # Errors
    /// [`Error::InsufficientScope`] if a token lacks `v1.read`.
    pub fn profile<'a>(&'a self, caller: &'a Caller) -> Result<ProfileService<'a>, Error> {
        self.allow(caller, caller.require(&Scope::V1Read)).map(|()| ProfileService { api: self, caller })
    }

    /// Returns a handle for the caller's integration keys. Only a caller in a session has access.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if the caller has a token.
    pub fn keys(&self, caller: &Caller) -> Result<KeyService<'_>, Error> {
        Ok(KeyService { api: self, owner: caller.signed_in()? })
    }

    /// Returns a handle for the caller's connections. Only a caller in a session has access.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if the caller has a token.
    pub fn connections(&self, caller: &Caller) -> Result<ConnectionService<'_>, Error> {
        Ok(ConnectionService { api: self, owner: caller.signed_in()? })
    }

    /// Returns a handle for the OAuth protocol, or `None` without a [`GrantStorage`](crate::storage::GrantStorage).
    #[must_use]
    pub fn grants(&self) -> Option<GrantService<'_>> {
        self.grants.as_ref().map(|grants| GrantService { api: self, grants })
    }

    /// Checks that the storage responds.
    ///
    /// # Errors
    /// The error of the storage.
    #[instrument(level = "debug", skip_all)]
    pub async fn check(&self) -> Result<(), Error> {
        Ok(self.storage.check().traced("check").await?)
    }

    /// Returns the author of a change for which a token needs a scope. Verifies an external token again.
    async fn author(&self, caller: &Caller, scope: Scope) -> Result<Author, Error> {
        if let (Some(verifier), Some((token, surface))) = (&self.token_verifier, caller.external_token()) {
            let verified = verifier.verify(token.expose(), surface).await?;
            let reason = match verified.filter(|verified| verified.user == *caller.user()) {
                None => Some(Refusal::Unknown),
                Some(verified) if !verified.scopes.grants(&scope) => Some(Refusal::InsufficientScope(scope)),
                Some(_) => None,
            };
            if let Some(reason) = reason {
                return Err(self.refuse_caller(caller, reason));
            }
        }
        Ok(caller.author()?)
    }

    fn allow(&self, caller: &Caller, permission: Result<(), Refusal>) -> Result<(), Error> {
        permission.map_err(|reason| self.refuse_caller(caller, reason))
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

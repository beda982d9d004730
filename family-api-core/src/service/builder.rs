//! The settings of the API.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::audit::AuditSink;
use crate::key::{EnvironmentTokens, KeyMode, KeyPrefix};
use crate::limit::{Rate, RateLimiter};
use crate::service::document_cache::DocumentCache;
use crate::service::family_loads::FamilyLoads;
use crate::service::feeds::Feeds;
use crate::service::grants::Grants;
use crate::service::large_documents::LargeDocuments;
use crate::service::{FamilyApi, TokenVerifier};
use crate::storage::{CredentialStorage, FeedStorage, GrantStorage, Storage};
use crate::{Clock, SystemClock};

const DEFAULT_KEY_LIMIT: u32 = 50;

const DEFAULT_RATE: Rate = Rate::per_minute(NonZeroU32::new(300).unwrap());

const DEFAULT_SESSION_WRITE_RATE: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// The rate of the warnings about one user whom the storage does not have.
const UNKNOWN_USER_WARNINGS: Rate = Rate::per_minute(NonZeroU32::MIN);

const DEFAULT_DOCUMENT_CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// Configures a [`FamilyApi`].
#[must_use]
pub struct FamilyApiBuilder {
    api: FamilyApi,
}

impl FamilyApiBuilder {
    pub(super) fn new(storage: Arc<dyn Storage>) -> Self {
        Self {
            api: FamilyApi {
                capabilities: Arc::new(storage.capabilities()),
                storage,
                key_modes: KeyMode::STANDARD,
                clock: Arc::new(SystemClock),
                environment: Arc::default(),
                prefix: KeyPrefix::default(),
                key_limit: DEFAULT_KEY_LIMIT,
                request_limiter: Some(Arc::new(RateLimiter::new(DEFAULT_RATE))),
                session_write_limiter: Some(Arc::new(RateLimiter::new(DEFAULT_SESSION_WRITE_RATE))),
                credentials: None,
                grants: None,
                feeds: None,
                token_verifier: None,
                unknown_user_warnings: Arc::new(RateLimiter::new(UNKNOWN_USER_WARNINGS)),
                purges: Arc::default(),
                audit: None,
                pending_uses: Arc::default(),
                is_background_scheduled: Arc::default(),
                documents: Some(DocumentCache::with_capacity(DEFAULT_DOCUMENT_CACHE_BYTES)),
                loads: FamilyLoads::default(),
                large_documents: LargeDocuments::default(),
                running_creations: Arc::default(),
                running_batches: Arc::default(),
            },
        }
    }

    /// Sets the clock. Default: [`SystemClock`].
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.api.clock = Arc::new(clock);
        self
    }

    /// Sets the environment tokens, which grant access to the read path. Needs an adapter that serves it. Default:
    /// none.
    pub fn environment_tokens(mut self, tokens: EnvironmentTokens) -> Self {
        self.api.environment = Arc::new(tokens);
        self
    }

    /// Sets the prefix of the tokens of new keys. Default: `fam_`.
    pub fn key_prefix(mut self, prefix: KeyPrefix) -> Self {
        self.api.prefix = prefix;
        self
    }

    /// Sets the maximum number of active keys of one user. Default: 50.
    pub fn key_limit(mut self, limit: u32) -> Self {
        self.api.key_limit = limit;
        self
    }

    /// Sets whether new keys can have the mode [`KeyMode::V1Full`], and new connections its scopes. Default: false.
    ///
    /// Keys that already have such a scope are valid in any case. Has no effect if the storage supports no write that
    /// needs such a scope, or if the adapter does not serve `/api/v1`. If it is false, the OpenAPI document leaves out
    /// the routes that need such a scope.
    pub fn full_access(mut self, allowed: bool) -> Self {
        self.api.key_modes = if allowed { &KeyMode::ALL } else { KeyMode::STANDARD };
        self
    }

    /// Limits the requests of each token. Default: 300 per minute. Requests in a session are not counted.
    ///
    /// The requests are counted in this process. With several nodes, each node grants the full rate.
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.api.request_limiter = Some(Arc::new(RateLimiter::new(rate)));
        self
    }

    /// Disables the limit on requests of a token.
    pub fn without_rate_limit(mut self) -> Self {
        self.api.request_limiter = None;
        self
    }

    /// Limits the writes of each user in sessions. Default: 60 per minute. Reads in a session are not counted.
    ///
    /// The writes are counted in this process. With several nodes, each node grants the full rate.
    pub fn session_write_limit(mut self, rate: Rate) -> Self {
        self.api.session_write_limiter = Some(Arc::new(RateLimiter::new(rate)));
        self
    }

    /// Disables the limit on writes of a user in sessions.
    pub fn without_session_write_limit(mut self) -> Self {
        self.api.session_write_limiter = None;
        self
    }

    /// Sets the storage of sessions. A background task then deletes expired sessions, and sessions of one user beyond
    /// 1,000. Default: none, for a host that stores its sessions itself.
    pub fn credentials(mut self, credentials: Arc<dyn CredentialStorage>) -> Self {
        self.api.credentials = Some(credentials);
        self
    }

    /// Sets the storage of grants, and with it the API's own OAuth. Default: none.
    ///
    /// Needs an adapter that serves the MCP endpoints, because only they accept the tokens of a grant.
    pub fn grants(mut self, storage: Arc<dyn GrantStorage>) -> Self {
        self.api.grants = Some(Arc::new(Grants::new(storage)));
        self
    }

    /// Sets the storage of calendar feeds, and with it the feeds. A background task then deletes expired feeds. Default:
    /// none.
    pub fn calendar_feeds(mut self, storage: Arc<dyn FeedStorage>) -> Self {
        self.api.feeds = Some(Arc::new(Feeds::new(storage)));
        self
    }

    /// Sets the verifier of tokens that an authorization server of the host issues. Default: none.
    ///
    /// Needs an adapter that serves the MCP endpoints, because only they accept these tokens.
    pub fn token_verifier(mut self, verifier: Arc<dyn TokenVerifier>) -> Self {
        self.api.token_verifier = Some(verifier);
        self
    }

    /// Sets the size of the cache for documents of reads, in bytes. Default: 64 MiB.
    ///
    /// If the documents do not fit, the least recently used ones are compressed to about an eighth. Half of the size is
    /// for compressed documents.
    ///
    /// The cache stores each document with the revision of the family's data. Every request reads the current revision
    /// from the storage. A cached document is used only if it has this revision. A host that changes records outside of
    /// the storage must increment the revision. Otherwise the cache returns outdated documents. If a storage has no
    /// revisions, nothing is cached.
    pub fn document_cache(mut self, bytes: u64) -> Self {
        self.api.documents = Some(DocumentCache::with_capacity(bytes));
        self
    }

    /// Disables the cache: every read queries the storage, except if the client already has the current version.
    pub fn without_document_cache(mut self) -> Self {
        self.api.documents = None;
        self
    }

    /// Sets the audit sink. Default: none.
    pub fn audit(mut self, sink: impl AuditSink + 'static) -> Self {
        self.api.audit = Some(Arc::new(sink));
        self
    }

    /// Creates the API.
    #[must_use]
    pub fn build(self) -> FamilyApi {
        self.api
    }
}

//! The settings of the API.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::audit::AuditSink;
use crate::clock::{Clock, SystemClock};
use crate::key::{EnvironmentTokens, KeyPrefix};
use crate::limit::{Rate, RateLimiter};
use crate::service::FamilyApi;
use crate::service::documents::Documents;
use crate::storage::{CredentialStorage, Storage};

const DEFAULT_KEY_LIMIT: u32 = 50;

const DEFAULT_RATE: Rate = Rate::per_minute(NonZeroU32::new(300).unwrap());

const DEFAULT_SESSION_WRITE_RATE: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// In bytes.
const DEFAULT_DOCUMENT_CACHE: u64 = 64 * 1024 * 1024;

/// Configures a [`FamilyApi`].
#[must_use]
pub struct FamilyApiBuilder {
    api: FamilyApi,
}

impl FamilyApiBuilder {
    pub(super) fn new(storage: Arc<dyn Storage>) -> Self {
        Self {
            api: FamilyApi {
                storage,
                clock: Arc::new(SystemClock),
                environment: Arc::default(),
                prefix: KeyPrefix::default(),
                key_limit: DEFAULT_KEY_LIMIT,
                requests: Some(Arc::new(RateLimiter::new(DEFAULT_RATE))),
                session_writes: Some(Arc::new(RateLimiter::new(DEFAULT_SESSION_WRITE_RATE))),
                credentials: None,
                purges: Arc::default(),
                audit: None,
                last_use: Arc::default(),
                documents: Some(Documents::with_capacity(DEFAULT_DOCUMENT_CACHE)),
            },
        }
    }

    /// Sets the clock. Default: [`SystemClock`].
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.api.clock = Arc::new(clock);
        self
    }

    /// Sets the environment tokens, which grant access to the read path. Default: none.
    pub fn environment_tokens(mut self, tokens: EnvironmentTokens) -> Self {
        self.api.environment = Arc::new(tokens);
        self
    }

    /// Sets the prefix of the plaintexts of new keys. Default: `fam_`.
    pub fn key_prefix(mut self, prefix: KeyPrefix) -> Self {
        self.api.prefix = prefix;
        self
    }

    /// Sets the maximum number of active keys of one user. Default: 50.
    pub fn key_limit(mut self, limit: u32) -> Self {
        self.api.key_limit = limit;
        self
    }

    /// Limits the requests of each token. Default: 300 per minute. Requests in a session are not counted.
    ///
    /// The requests are counted in this process. With several nodes, each node grants the full rate.
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.api.requests = Some(Arc::new(RateLimiter::new(rate)));
        self
    }

    /// Disables the limit on requests of a token.
    pub fn without_rate_limit(mut self) -> Self {
        self.api.requests = None;
        self
    }

    /// Limits the writes of each user in sessions. Default: 60 per minute. Reads in a session are not counted.
    ///
    /// The writes are counted in this process. With several nodes, each node grants the full rate.
    pub fn session_write_limit(mut self, rate: Rate) -> Self {
        self.api.session_writes = Some(Arc::new(RateLimiter::new(rate)));
        self
    }

    /// Disables the limit on writes of a user in sessions.
    pub fn without_session_write_limit(mut self) -> Self {
        self.api.session_writes = None;
        self
    }

    /// Sets the storage of sessions. [`FamilyApi::purge`] then deletes expired and surplus sessions as well as ended
    /// keys. Default: none, for a host that stores its sessions itself.
    pub fn credentials(mut self, credentials: Arc<dyn CredentialStorage>) -> Self {
        self.api.credentials = Some(credentials);
        self
    }

    /// Sets the size of the cache for documents of reads, in bytes. Default: 64 MiB.
    ///
    /// The cache stores a document with the revision of the family's data, and every request reads the current revision
    /// from the storage. No document is outdated if every change increments the revision. If a host changes records
    /// outside of the storage and does not increment the revision, a document stays outdated until it is evicted. If a
    /// storage has no revisions, nothing is cached.
    pub fn document_cache(mut self, bytes: u64) -> Self {
        self.api.documents = Some(Documents::with_capacity(bytes));
        self
    }

    /// Disables the cache: every read that is not answered as unchanged queries the storage.
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

//! What a host may set.

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

const DEFAULT_SESSION_WRITES: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// In bytes.
const DEFAULT_DOCUMENTS: u64 = 64 * 1024 * 1024;

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
                session_writes: Some(Arc::new(RateLimiter::new(DEFAULT_SESSION_WRITES))),
                credentials: None,
                purges: Arc::default(),
                audit: None,
                last_use: Arc::default(),
                documents: Some(Documents::of_bytes(DEFAULT_DOCUMENTS)),
            },
        }
    }

    /// Tells the time by another clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.api.clock = Arc::new(clock);
        self
    }

    /// Lets tokens from the configuration open the read path.
    pub fn environment_tokens(mut self, tokens: EnvironmentTokens) -> Self {
        self.api.environment = Arc::new(tokens);
        self
    }

    /// Begins the plaintexts of new keys with another prefix than `fam_`.
    pub fn key_prefix(mut self, prefix: KeyPrefix) -> Self {
        self.api.prefix = prefix;
        self
    }

    /// Lets each user have that many active keys; 50 unless it is set.
    pub fn key_limit(mut self, limit: u32) -> Self {
        self.api.key_limit = limit;
        self
    }

    /// Lets each token make that many requests; 300 a minute unless it is set. Sessions are not counted.
    ///
    /// They are counted in this process: of many nodes, each grants as many.
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.api.requests = Some(Arc::new(RateLimiter::new(rate)));
        self
    }

    /// Lets each token make as many requests as it likes.
    pub fn without_rate_limit(mut self) -> Self {
        self.api.requests = None;
        self
    }

    /// Limits how many writes each user makes in sessions. Default: 60 a minute. Reads in a session are not counted.
    ///
    /// They are counted in this process: of many nodes, each grants as many.
    pub fn session_write_limit(mut self, rate: Rate) -> Self {
        self.api.session_writes = Some(Arc::new(RateLimiter::new(rate)));
        self
    }

    /// Lets each user make any number of writes in sessions.
    pub fn without_session_write_limit(mut self) -> Self {
        self.api.session_writes = None;
        self
    }

    /// Deletes the expired and the surplus sessions of this storage, beside ended keys (see
    /// [`FamilyApi::purge`]). Default: none, for a host that keeps its sessions by itself.
    pub fn credentials(mut self, credentials: Arc<dyn CredentialStorage>) -> Self {
        self.api.credentials = Some(credentials);
        self
    }

    /// Keeps documents that were read, up to so many bytes; 64 MiB unless it is set.
    ///
    /// A document is kept for the revision of the family's data that it shows, and every request asks the storage which
    /// one that is now: none is out of date where the revision counts every change. Where a host changes families'
    /// records behind the storage's back and does not count that, it shows for as long as it is kept. Where a storage
    /// keeps no revision, no document is kept.
    pub fn document_cache(mut self, bytes: u64) -> Self {
        self.api.documents = Some(Documents::of_bytes(bytes));
        self
    }

    /// Has every read that is not unchanged make its document anew.
    pub fn without_document_cache(mut self) -> Self {
        self.api.documents = None;
        self
    }

    /// Takes down what happens to keys, and what they do; nothing is taken down unless it is set.
    pub fn audit(mut self, sink: impl AuditSink + 'static) -> Self {
        self.api.audit = Some(Arc::new(sink));
        self
    }

    /// The API.
    #[must_use]
    pub fn build(self) -> FamilyApi {
        self.api
    }
}

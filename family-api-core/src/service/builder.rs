//! What a host may set.

use std::sync::Arc;

use crate::clock::{Clock, SystemClock};
use crate::key::{EnvironmentTokens, KeyPrefix};
use crate::service::FamilyApi;
use crate::storage::Storage;

const DEFAULT_KEY_LIMIT: u32 = 50;

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

    /// The API.
    #[must_use]
    pub fn build(self) -> FamilyApi {
        self.api
    }
}

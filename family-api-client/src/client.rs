//! The client itself: where every call begins.

use std::sync::Arc;

use crate::FamilyClientBuilder;
use crate::api::{Profiles, Reading};
use crate::transport::Transport;

/// Calls a family API with one token: cheap to clone, all clones share their connections.
#[derive(Debug, Clone)]
pub struct FamilyClient {
    transport: Arc<Transport>,
}

impl FamilyClient {
    /// A client to be configured.
    pub fn builder() -> FamilyClientBuilder {
        FamilyClientBuilder::default()
    }

    pub(crate) fn new(transport: Transport) -> Self {
        Self { transport: Arc::new(transport) }
    }

    /// The profile of the token's user.
    #[must_use]
    pub fn profile(&self) -> Profiles<'_> {
        Profiles { transport: &self.transport }
    }

    /// The family's resources.
    #[must_use]
    pub fn read(&self) -> Reading<'_> {
        Reading { transport: &self.transport }
    }
}

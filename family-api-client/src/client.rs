//! The client for calls with a token.

use std::sync::Arc;

use family_api_types::{Surface, paths};

use crate::api::{ProfileApi, ReadApi};
use crate::transport::Transport;
use crate::{Batch, FamilyClientBuilder, Follower};

/// Calls a family API with one token. Cheap to clone: all clones share the same connections.
#[derive(Debug, Clone)]
pub struct FamilyClient {
    pub(crate) transport: Arc<Transport>,
    pub(crate) surface: Surface,
}

impl FamilyClient {
    /// Returns a builder.
    pub fn builder() -> FamilyClientBuilder {
        FamilyClientBuilder::default()
    }

    /// Returns the calls that read the profile of the token's user.
    #[must_use]
    pub fn profile(&self) -> ProfileApi {
        ProfileApi { transport: self.transport.clone() }
    }

    /// Returns the calls that read the family's resources.
    #[must_use]
    pub fn read(&self) -> ReadApi {
        ReadApi { transport: self.transport.clone(), surface: self.surface }
    }

    /// Returns a follower of the changes of the family's records. It reads everything first. The token needs `v1.read`.
    #[must_use]
    pub fn follow(&self) -> Follower {
        self.follower(None)
    }

    /// Returns a follower that continues after this state, without a first read of everything.
    #[must_use]
    pub fn follow_from(&self, state: &str) -> Follower {
        self.follower(Some(state.to_owned()))
    }

    fn follower(&self, state: Option<String>) -> Follower {
        Follower::new(ReadApi { transport: self.transport.clone(), surface: Surface::V1 }, state)
    }

    /// Returns an empty batch, to which calls that write are added.
    #[must_use]
    pub fn batch(&self) -> Batch {
        Batch::new(&self.transport)
    }

    /// Returns the URL of the service's MCP endpoint, for the configuration of an assistant.
    ///
    /// The endpoint belongs to the surface of [`read_over`](FamilyClientBuilder::read_over).
    #[must_use]
    pub fn mcp_url(&self) -> String {
        self.transport.base.join(paths::mcp(self.surface), &[]).into()
    }
}

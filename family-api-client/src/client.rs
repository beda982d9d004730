//! The client for calls with a token.

use std::sync::Arc;

use family_api_types::{Surface, paths};

use crate::FamilyClientBuilder;
use crate::api::{EventsApi, NotesApi, ProfileApi, ReadApi, RecordsApi, ShoppingItemsApi, ShoppingListsApi, TasksApi};
use crate::transport::Transport;

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

    /// Returns the URL of the service's MCP endpoint, for the configuration of an assistant.
    ///
    /// The endpoint belongs to the surface of [`read_over`](FamilyClientBuilder::read_over).
    #[must_use]
    pub fn mcp_url(&self) -> String {
        self.transport.base.join(paths::mcp(self.surface), &[]).into()
    }

    /// Returns the calls that write tasks. Updates need the scope `v1.tasks.write`. Creations, deletions and
    /// restorations need `v1.tasks.manage`.
    #[must_use]
    pub fn tasks(&self) -> TasksApi {
        RecordsApi::new(&self.transport, paths::V1)
    }

    /// Returns the calls that write notes. Updates and deletions need the scope `v1.notes.write`. Creations and
    /// restorations need `v1.notes.manage`.
    #[must_use]
    pub fn notes(&self) -> NotesApi {
        RecordsApi::new(&self.transport, paths::V1)
    }

    /// Returns the calls that write events. They need the scope `v1.events.write`.
    #[must_use]
    pub fn events(&self) -> EventsApi {
        RecordsApi::new(&self.transport, paths::V1)
    }

    /// Returns the calls that write the items of shopping lists. They need the scope `v1.shopping.write`.
    #[must_use]
    pub fn shopping_items(&self) -> ShoppingItemsApi {
        RecordsApi::new(&self.transport, paths::V1)
    }

    /// Returns the calls that write shopping lists. Creations need the scope `v1.shopping.write`. Updates and deletions
    /// need a session ([`SessionClient`](crate::SessionClient)): with a token they are not found.
    #[must_use]
    pub fn shopping_lists(&self) -> ShoppingListsApi {
        RecordsApi::new(&self.transport, paths::V1)
    }
}

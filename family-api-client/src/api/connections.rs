//! Calls on connections.

use std::sync::Arc;

use family_api_types::connection::{ConnectionList, RevokedConnection};
use family_api_types::id::GrantId;
use family_api_types::paths;

use crate::Call;
use crate::request::Request;
use crate::transport::Transport;

/// Calls on the connections of a signed-in user: the assistants that the user has connected without a key.
#[derive(Debug, Clone)]
pub struct ConnectionsApi {
    pub(crate) transport: Arc<Transport>,
}

impl ConnectionsApi {
    /// Lists the connections, newest first.
    pub fn list(&self) -> Call<ConnectionList> {
        Call::new(&self.transport, Request::get(paths::CONNECTIONS))
    }

    /// Ends a connection. The service refuses its tokens as soon as this call returns.
    pub fn revoke(&self, connection: &GrantId) -> Call<RevokedConnection> {
        Call::new(&self.transport, Request::delete(paths::connection(connection)))
    }
}

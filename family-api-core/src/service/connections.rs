//! Lists and revokes the connections of a user.

use tracing::instrument;

use crate::access::SignedIn;
use crate::audit::AuditEvent;
use crate::connection::{ConnectionList, RevokedConnection};
use crate::error::Error;
use crate::id::GrantId;
use crate::logged_id::loggable_text;
use crate::service::FamilyApi;
use crate::service::purge::MISUSE_RETENTION;
use crate::service::storage_call::StorageCall;
use crate::storage::{GrantRevocation, MAX_MISUSED_GRANTS};
use crate::validation::Reference;

/// A handle to manage the caller's connections. Without a [`GrantStorage`](crate::storage::GrantStorage), there
/// are none.
#[derive(Debug, Clone)]
pub struct ConnectionService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) owner: SignedIn,
}

impl ConnectionService<'_> {
    /// Returns the caller's live connections, and those that were ended lately because of a misuse, newest first.
    ///
    /// # Errors
    /// The error of the storage.
    #[instrument(level = "debug", name = "list_connections", skip_all, fields(user = %self.owner.user))]
    pub async fn list(&self) -> Result<ConnectionList, Error> {
        let Some(grants) = &self.api.grants else {
            return Ok(ConnectionList::new(Vec::new(), Vec::new()));
        };
        let now = self.api.clock.now();
        let live = grants.storage.list_grants(&self.owner.user, now).traced("list_grants").await?;
        let (since, user) = (now.saturating_add(-MISUSE_RETENTION), &self.owner.user);
        let misused =
            grants.storage.list_misused_grants(user, since, MAX_MISUSED_GRANTS).traced("list_misused_grants").await?;
        Ok(ConnectionList::new(live, misused))
    }

    /// Revokes a connection. When the call returns, every node refuses its tokens.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the caller does not have the connection, or the connection has ended.
    /// - [`Error::NotSignedIn`] if the session has ended during the request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "revoke_connection", skip_all, fields(user = %self.owner.user, connection = connection.id().and_then(loggable_text)))]
    pub async fn revoke(&self, connection: &Reference<GrantId>) -> Result<RevokedConnection, Error> {
        let (Some(grants), Some(grant)) = (&self.api.grants, connection.id()) else {
            return Err(Error::NotFound);
        };
        let now = self.api.clock.now();
        let (user, connection) = (self.owner.user.clone(), Some(grant.clone()));
        let pending = self.api.begin_event(AuditEvent::ConnectionRevoked { user, connection });
        let revocation = grants.storage.revoke_grant(&self.owner, grant, now).traced("revoke_grant").await?;
        pending.complete(revocation == GrantRevocation::Revoked);
        match revocation {
            GrantRevocation::Revoked => Ok(RevokedConnection::new(grant.clone(), now)),
            GrantRevocation::NotFound => Err(Error::NotFound),
            GrantRevocation::NotSignedIn => Err(Error::NotSignedIn),
        }
    }
}

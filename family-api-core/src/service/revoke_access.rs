//! Ends all access that a user has given: the keys, the connections, the calendar feeds and the personal API.

use tracing::instrument;

use crate::access::SignedIn;
use crate::audit::AuditEvent;
use crate::error::Error;
use crate::key::RevokedAccess;
use crate::service::KeyService;
use crate::service::storage_call::StorageCall;
use crate::storage::FeedWrite;

impl KeyService<'_> {
    /// Revokes all active keys, ends all connections and calendar feeds of the caller, and switches the personal API
    /// off. When the call returns, every node refuses all of them. Environment tokens stay valid.
    ///
    /// One storage call does all of it. If the grants or the feeds are in another storage than the keys, each
    /// connection and each feed is ended after this call. If one of these steps fails, the keys are revoked and the
    /// personal API is off, and a repeated call ends the others.
    ///
    /// # Errors
    /// - [`Error::NotSignedIn`] if the session has ended or the user was deleted during the request.
    /// - The error of the storage.
    #[instrument(level = "debug", skip_all, fields(user = %self.owner.user))]
    pub async fn revoke_access(&self) -> Result<RevokedAccess, Error> {
        let now = self.now();
        let event = AuditEvent::AccessRevoked { user: self.owner.user.clone(), revoked: RevokedAccess::default() };
        let pending = self.api.begin_event(event);
        let revoked = self.api.storage.revoke_access(&self.owner, now).traced("revoke_access").await?;
        let Some(mut revoked) = revoked else {
            pending.complete(false);
            return Err(Error::NotSignedIn);
        };
        self.schedule_purge();
        if let Some(grants) = &self.api.grants {
            for connection in grants.storage.list_grants(&self.owner.user, now).traced("list_grants").await? {
                let has_ended = grants.storage.end_grant(&connection.id, now, None).traced("end_grant").await?;
                revoked.connections += u64::from(has_ended);
            }
        }
        if let Some(feeds) = &self.api.feeds {
            // The session was checked by the first call.
            let owner = SignedIn { session: None, ..self.owner.clone() };
            for feed in feeds.storage.list_feeds(&owner.user, now).traced("list_feeds").await? {
                let deleted = feeds.storage.delete_feed(&owner, &feed.id, now).traced("delete_feed").await?;
                revoked.feeds += u64::from(deleted == FeedWrite::Written(()));
            }
        }
        pending.complete_with(true, |event| {
            if let AuditEvent::AccessRevoked { revoked: recorded, .. } = event {
                *recorded = revoked;
            }
        });
        Ok(revoked)
    }
}

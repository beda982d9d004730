//! Connections for calls that query some shards.

use std::sync::Arc;

use family_api_core::id::{FamilyId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::StorageError;

use crate::postgres::database::{Database, Lease};
use crate::postgres::distributed::Bulkhead;
use crate::turns::Turn;

/// The shards that a call queries. Tables that are on every server do not count if the call only reads them.
#[derive(Clone, Copy)]
pub(crate) enum Shards<'a> {
    /// The shard of a family. A write also locks the key or session of its author, but it was read just before, so its
    /// server responds.
    OfFamily(&'a FamilyId),
    /// The shard of a key or a session, by the digest of its token.
    OfToken(&'a KeyDigest),
    /// The shard of a user's password.
    OfPassword(&'a UserId),
    /// Shards of several servers.
    Several,
}

impl Database {
    /// Acquires a connection for a storage call that queries these shards if the tables are distributed.
    pub(crate) async fn lease_for(&self, shards: Shards<'_>) -> Result<Lease, StorageError> {
        match &self.bulkheads {
            None => self.lease().await,
            Some(bulkheads) => match bulkheads.cached(shards) {
                Some(bulkhead) => self.lease_in(&bulkhead).await,
                None => self.move_lease_to(self.lease().await?, shards).await,
            },
        }
    }

    /// Acquires a connection for a write in a family. The connection owns the turn until it is in the pool again.
    pub(crate) async fn lease_in_turn(&self, turn: Option<&Turn>, family: &FamilyId) -> Result<Lease, StorageError> {
        let mut lease = self.lease_for(Shards::OfFamily(family)).await?;
        lease.turn = turn.cloned();
        Ok(lease)
    }

    /// Prepares the connection of a storage call for a query of these shards. While the call waits for other calls to
    /// their server, it holds no connection. So it can continue with another connection.
    pub(crate) async fn move_lease_to(&self, mut lease: Lease, shards: Shards<'_>) -> Result<Lease, StorageError> {
        let Some(bulkheads) = &self.bulkheads else {
            return Ok(lease);
        };
        let bulkhead = bulkheads.find(shards, &mut lease).await?;
        if let Some(permit) = bulkhead.try_enter() {
            lease.permit = Some(permit);
            return Ok(lease);
        }
        drop(lease);
        self.lease_in(&bulkhead).await
    }

    async fn lease_in(&self, bulkhead: &Arc<Bulkhead>) -> Result<Lease, StorageError> {
        let permit = bulkhead.enter().await?;
        let mut lease = self.lease().await?;
        lease.permit = Some(permit);
        Ok(lease)
    }
}

//! The steps of requests if the tables are distributed over several servers.
//!
//! - A statement of a read or a write of records uses one shard. It compares the column by which a table is distributed
//!   with an argument.
//! - No statement locks rows of `users`, `grants` or `calendar_feeds`. These tables are on every server, and the engine
//!   would lock the whole table on all servers. The row of the family protects its members and their grants instead: a
//!   write of records locks it, and so does a change of a member or the revocation of a grant. [`lock_user`] protects
//!   the creation of keys, grants and feeds.
//! - The operator can revoke the grants of all users. This transaction locks no family. After its commit, each of their
//!   families is locked in a transaction of its own, which waits for the writes that began before the revocation.
//! - A commit becomes visible on one server after the other. So what a lock protects is read on the server of the lock.
//! - If a server is lost between the two phases of a commit, the engine reports success, and completes the commit there
//!   later. So a revocation runs its statement again after the commit: the statement finds nothing to revoke, waits for
//!   an incomplete commit, or fails.

mod bulkhead;
mod bulkheads;
mod credentials;
mod distribution;
mod error;
mod feeds;
mod grants;
mod keys;
mod locks;
mod shards;

pub(super) use bulkhead::{Bulkhead, Permit};
pub(super) use bulkheads::Bulkheads;
pub(super) use credentials::{find_access_token, find_credential, find_key, find_password};
pub(super) use distribution::{Distribution, IS_DISTRIBUTED};
pub(super) use error::{is_lost_worker, violated_kind};
pub(super) use feeds::{find_feed, increment_feed_sequences};
pub(super) use grants::{delete_ended_grants, end_grant, revoke_grant, wait_for_writes};
pub(super) use keys::{delete_each, record_uses, revoke_access, revoke_key};
pub(super) use locks::{lock_member, lock_user};

/// Optional SQL that distributes the tables over the workers of a Citus cluster.
pub const CITUS_DISTRIBUTION: &str = include_str!("../../../migrations/postgres/optional/citus.sql");

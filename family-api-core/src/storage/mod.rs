//! The traits through which the API reads and writes a database.
//!
//! A storage implements the five traits of [`Storage`]: [`KeyStorage`], [`UserStorage`], [`ReadStorage`],
//! [`WriteStorage`] and [`Health`]. A host, the application that embeds this crate, implements them over its own tables
//! if it already stores families. The host can get [`ReadStorage`] and [`WriteStorage`] from [`FamilyStore`]. The crate
//! `family-api-sql` implements them for SQLite and PostgreSQL, and `family-api-memory` has a storage in memory. More
//! traits are optional: [`BulkLoad`] imports many records atomically, [`Export`] reads all records,
//! [`CredentialStorage`] stores passwords and sessions for a host without its own sign-in, [`GrantStorage`] stores the
//! connections of OAuth clients, and [`FeedStorage`] the calendar feeds. Three are for the commands of an operator:
//! [`Administration`], [`BulkUpdate`], which changes many records atomically, and [`RestoredStorage`], which
//! invalidates the credentials that a restored backup brings back. The storage in memory implements neither these three
//! nor [`Export`].
//!
//! [`write_sequence`] tells how every storage makes a write. [`table`] and [`value`] tell how it stores records.
//!
//! Every storage guarantees the following, and the suite `family-api-conformance` checks it:
//!
//! - **One method is one atomic step.** A write takes effect completely or not at all, and its result says which.
//! - **No clock, no random values, no permission checks** except of the credential. Instants, ids and digests are
//!   arguments. The caller's permission is checked before the call.
//! - **A change needs a credential that is still valid.** A credential can be revoked or expire after the request was
//!   authorized. So the transaction of a change finds the [`Author`]'s credential again and checks it
//!   ([`Author::check`]).
//! - **Every read and write of family data takes a [`Member`].** Records that the member does not see are treated as
//!   records that do not exist.
//! - **A fault is an error.** For example, a lost connection is never returned as an empty list or as a missing key.
//! - **An acknowledged write is visible** to every call that begins afterwards, on every node.
//! - **Text and ids are ordered by code point.**
//!
#![doc = include_str!("writing_a_storage.md")]

mod administration;
mod capabilities;
mod changes;
mod checked_items;
mod credentials;
mod export;
mod family_data;
mod feeds;
mod find_credential;
mod grants;
mod health;
mod host_storage;
mod kept;
mod keys;
mod load;
mod reads;
mod record;
mod restorable;
mod restored;
mod target;
mod update;
mod users;
mod writable;
pub mod write_sequence;
mod writes;

pub use administration::{
    Administration, FamilySummary, KindCount, Owned, Selection, UserChange, UserMove, UserSummary, UserUpdate,
};
pub use capabilities::Capabilities;
pub use changes::{Audience, ChangesQuery, FollowedLog, FoundChanges, LogRange, LoggedChange, RecordChanges};
pub use credentials::{CredentialStorage, PasswordHash, Session};
pub use export::{Export, ExportedPasswords, Exporter};
pub use family_data::{Change, DecideFn, FamilyData, FamilyStore, FamilyWrite, Needs, Rows};
pub use feeds::{FeedInsert, FeedStorage, FeedWrite, FoundFeed, NewFeed};
pub use grants::{
    ExchangedSecret, GrantInsert, GrantLookup, GrantRevocation, GrantState, GrantStorage, MAX_MISUSED_GRANTS, NewGrant,
    StoredGrant, TokenIssue,
};
pub use health::Health;
pub use host_storage::HostStorage;
pub(crate) use kept::{DELETED_RECORD_RETENTION, IDEMPOTENCY_RETENTION};
pub use kept::{DeletedRecord, DeletedRecordLimit, IdempotentAnswer};
pub use keys::{KeyCondition, KeyInsert, KeyRevocation, KeyStorage, NewKey};
pub use load::{BulkLoad, LoadError, LoadFault, Loader, first_member_zone};
pub use reads::ReadStorage;
pub use record::*;
pub use restorable::{RestorableEntry, RestorablePosition, RestorableQuery};
pub use restored::RestoredStorage;
pub use update::{BulkUpdate, KindChanges, MissingRecords, Updater};
pub use users::UserStorage;
pub use writable::{TEXT_BLOCK, Writable};
pub use writes::{Operation, RecordWrite, WriteStorage, Written};

pub use crate::access::{
    Account, Author, Credential, Denied, FoundAccessToken, FoundCredential, FoundKey, KeyState, Member, Membership,
    SignedIn,
};
pub use crate::storage_error::StorageError;

/// The target of the `tracing` event that the API emits after each call of a storage, at level `TRACE`.
///
/// The event has three fields, in this order: `outcome` (`ok`, or [`StorageError::kind`]), `nanoseconds` (a `u64`) and
/// `method` (the name of the trait's method). A host's metrics can receive it with a layer of `tracing-subscriber`.
pub const CALL_TARGET: &str = "family_api_core::storage::call";

/// All traits that the API needs from a storage. Implemented for every type that implements the five traits.
pub trait Storage: KeyStorage + UserStorage + ReadStorage + WriteStorage + Health {}

impl<S: KeyStorage + UserStorage + ReadStorage + WriteStorage + Health + ?Sized> Storage for S {}

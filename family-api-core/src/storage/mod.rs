//! The contract between the API and the database.
//!
//! A storage implements the five traits of [`Storage`]: [`KeyStorage`], [`UserStorage`], [`ReadStorage`],
//! [`WriteStorage`] and [`Health`]. A host with its own families implements them over its own tables, and can get
//! [`ReadStorage`] and [`WriteStorage`] from [`FamilyStore`]. The built-in storages are `memory`, `sqlite` and
//! `postgres`, each behind the feature of that name. Two more traits are optional: [`Load`] imports family data from a
//! file, and [`CredentialStorage`] stores passwords and sessions for a host without its own sign-in.
//!
//! Every storage guarantees the following, and the `conformance` suite checks it:
//!
//! - **One method is one atomic step.** A conditional write returns its result, and never takes effect in part.
//! - **No clock, no randomness, no permissions.** Instants, ids and digests are arguments. The caller's permission is
//!   checked before the call.
//! - **A change needs a credential that is still valid.** The transaction of a change finds the [`Author`]'s credential
//!   again and checks it ([`Author::check`]), since it may have ended after the request arrived.
//! - **Every statement names the caller.** Reads and writes of family data take a [`Member`]. Records that this member
//!   may not see are treated like records that do not exist.
//! - **A fault is an error**, never an empty list and never "no such key".
//! - **An acknowledged write is visible** to every call that begins afterwards, on every node.
//! - **Text and ids are ordered by code point.**
//!
#![doc = include_str!("writing_a_storage.md")]

mod author;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod bulk;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod coalescer;
mod credentials;
mod error;
mod family_data;
mod health;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod key_batcher;
mod keys;
mod load;
#[cfg(feature = "memory")]
pub mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
mod reads;
mod record;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod schema;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod users;
mod writes;

pub use author::{Author, Credential, Denied, FoundCredential, SignedIn};
pub use credentials::{CredentialStorage, PasswordHash, Session};
pub use error::StorageError;
pub use family_data::{FamilyData, FamilyStore, FamilyWrite, Judge};
pub use health::Health;
pub use keys::{FoundKey, KeyCondition, KeyInsert, KeyRevocation, KeyState, KeyStorage, NewKey};
pub use load::{Load, LoadError, LoadFault, Loader};
pub use reads::ReadStorage;
pub use record::{
    BoardRecord, CategoryRecord, ColumnRecord, EventRecord, FamilyRecord, KeyRecord, NoteRecord, Password,
    PlainPassword, Record, ShoppingItemRecord, ShoppingListRecord, TaskRecord, UserRecord,
};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use schema::SchemaError;
pub use users::{Account, Member, Membership, UserStorage};
pub use writes::{Update, WriteStorage};

/// Everything that the API needs of a storage. Implemented for every type that implements the five traits.
pub trait Storage: KeyStorage + UserStorage + ReadStorage + WriteStorage + Health {}

impl<S: KeyStorage + UserStorage + ReadStorage + WriteStorage + Health + ?Sized> Storage for S {}

//! The contract between the API and what keeps the data.
//!
//! A storage is anything that implements the five traits of [`Storage`]: [`KeyStorage`], [`UserStorage`], [`ReadStorage`], [`WriteStorage`] and
//! [`Health`]. A host that keeps families of its own writes them over its own tables, [`ReadStorage`] and [`WriteStorage`] by way
//! of [`FamilyStore`]; ours are `memory`, `sqlite` and `postgres`, each behind the feature of that name. Two more traits
//! are optional: [`Load`] takes a family's data from a file, [`CredentialStorage`] keeps passwords and sessions for a host
//! that has no sign-in of its own.
//!
//! What every storage promises, and the `conformance` suite checks:
//!
//! - **One method is one atomic step.** A conditional write says what became of it; nothing is half done.
//! - **No clock, no randomness, no permission.** Instants, ids and digests come in as arguments; whether somebody may
//!   call is decided before.
//! - **A change needs a credential that is still valid.** The transaction that makes a change finds the [`Author`]'s
//!   credential again and judges it ([`Author::check`]): what was valid when the request arrived may have ended since.
//! - **The caller is in every statement.** Family data is asked for as a [`Member`], and what that member may not see
//!   is missing: a foreign record, and one that does not exist, look the same.
//! - **A fault is an error**, never an empty list and never "no such key".
//! - **What was acknowledged is seen** by every call that begins afterwards, on every node.
//! - **Text is ordered by code point**, and so are ids.
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

/// Everything that the API asks of a storage; implemented for whatever implements the parts.
pub trait Storage: KeyStorage + UserStorage + ReadStorage + WriteStorage + Health {}

impl<S: KeyStorage + UserStorage + ReadStorage + WriteStorage + Health + ?Sized> Storage for S {}

//! The behaviour that every storage must show, as cases that a host runs against its own.
//!
//! A host says how a fresh storage comes to be and how records get into it ([`Subject`]); a macro then stamps one
//! `#[tokio::test]` for each case, so that a failing one is named by its sentence:
//!
//! ```
//! # #[cfg(feature = "memory")]
//! # mod example {
//! use async_trait::async_trait;
//! use family_api_core::conformance::{Subject, seed_by_load};
//! use family_api_core::storage::memory::MemoryStorage;
//! use family_api_core::storage::{Record, Storage};
//!
//! struct Mine(MemoryStorage);
//!
//! #[async_trait]
//! impl Subject for Mine {
//!     fn storage(&self) -> &dyn Storage {
//!         &self.0
//!     }
//!
//!     async fn seed(&self, records: Vec<Record>) {
//!         seed_by_load(&self.0, records).await;
//!     }
//! }
//!
//! family_api_core::storage_conformance!(Mine(MemoryStorage::new()));
//! # }
//! ```
//!
//! A storage that implements [`Load`](crate::storage::Load) or [`Credentials`](crate::storage::CredentialStorage) takes
//! [`load_conformance!`](crate::load_conformance) and [`credentials_conformance!`](crate::credentials_conformance) too.
//! The cases need `tokio` (`macros`, `rt`) where they are stamped; [`storage_cases`], [`load_cases`] and
//! [`credentials_cases`] list them for another runtime. The time is an argument everywhere: no case waits.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a case fails by panicking")]

mod case;
mod fixture;
mod subject;
mod suites;

mod author;
mod boards;
mod credentials;
mod events;
mod health;
mod key_insertion;
mod key_purge;
mod key_use;
mod keys;
mod load;
mod note_update;
mod notes;
mod precondition;
mod revision;
mod shopping;
mod task_column;
mod task_fields;
mod task_move;
mod task_people;
mod task_stats;
mod tasks;
mod users;

pub use case::Case;
pub use subject::{CredentialsSubject, LoadSubject, Subject, seed_by_load};
pub use suites::{credentials_cases, load_cases, storage_cases};

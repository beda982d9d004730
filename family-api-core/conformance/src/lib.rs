//! A test suite for storages: the behaviour that every implementation must have.
//!
//! Implement [`Subject`]: a subject returns your storage and seeds the storage with records. A macro then generates one
//! `#[tokio::test]` per case. The name of the test is the behaviour that it checks:
//!
//! ```
//! use async_trait::async_trait;
//! use family_api_conformance::{Subject, seed_by_load};
//! use family_api_core::storage::memory::MemoryStorage;
//! use family_api_core::storage::{Record, Storage};
//!
//! struct MySubject(MemoryStorage);
//!
//! #[async_trait]
//! impl Subject for MySubject {
//!     fn storage(&self) -> &dyn Storage {
//!         &self.0
//!     }
//!
//!     async fn seed(&self, records: Vec<Record>) {
//!         seed_by_load(&self.0, records).await;
//!     }
//! }
//!
//! family_api_conformance::storage_conformance!(MySubject(MemoryStorage::new()));
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! #     for case in family_api_conformance::storage_cases() {
//! #         case.run(&MySubject(MemoryStorage::new())).await;
//! #     }
//! # }
//! ```
//!
//! Use [`load_conformance!`] too if your storage implements [`BulkLoad`], [`update_conformance!`] if it implements
//! [`BulkUpdate`], [`credentials_conformance!`] if it implements [`CredentialStorage`], and [`grants_conformance!`] if it
//! implements [`GrantStorage`].
//!
//! # Capabilities
//!
//! A case that does not [apply](Case::applies_to) to the [capabilities] of the storage passes without a check. A case
//! about writes of several kinds of records checks the kinds and the fields that the capabilities name. The case
//! `operations_outside_the_capabilities_fail` checks that the storage does not pretend to support other operations.
//! Every storage supports [`Capabilities::updates`], as far as it keeps the resources. A storage that creates categories
//! of notes also updates them.
//!
//! | cases | needed capabilities |
//! |---|---|
//! | `health`, `keys`, `key_*`, `users`, `members` | none |
//! | `boards`, `tasks`, `task_column`, `task_people`, `task_move` | the resource tasks |
//! | `task_fields` | the resource tasks, every field of a task |
//! | `task_stats` | the resources tasks and task stats |
//! | `events`, `overlapping_events` | the resource events |
//! | `shopping` | the resource shopping |
//! | `notes` | the resource notes |
//! | `note_update` | the resource notes, every field of a note |
//! | `every_field_of_…` | every field of the kinds in the name |
//! | `author`, `precondition`, `revision` | the resources tasks and notes |
//! | `record_writes`, `guarantees` | each kind that can be created, updated or deleted |
//! | `creation` | each kind that can be created, and updates of items |
//! | `repetition` | each kind that can be created, also with updates, deletions and restorations |
//! | `restoration` | each kind that can be deleted and restored |
//! | `containers` | deletions of boards, columns, lists and categories, and creations in them |
//! | `record_limit` | each kind that can be created, also with updates, deletions and restorations |
//! | `checked_items` | deletions of items |
//! | `record_purge` | creations, deletions and restorations of notes |
//!
//! # Ids of the host
//!
//! The cases use names as ids, such as `ada` and `open`. If the storage cannot store them, for example because its ids
//! are integers, implement [`Subject::host_id`]. The cases of [`storage_cases`] then replace the names in the seeded
//! records and in each argument by ids of the host, and the ids in each result by names. The ids have the order of the
//! names.
//!
//! The storage can also assign the id of a new record, and return it with the record. A repetition of the creation
//! then returns the same id. If it assigns ids, `a_restoration_replaces_no_record` checks less: no creation can use the
//! id of a deleted record.
//!
//! The ids of keys are those that the API gives them, so they remain text. The suites of the optional traits use names
//! as ids for every storage.
//!
//! # Runtimes
//!
//! The macros need `tokio` with the features `macros` and `rt` in your crate. For another runtime, run the cases that
//! [`storage_cases`], [`load_cases`], [`update_cases`], [`credentials_cases`] and [`grants_cases`] return. No case
//! sleeps: the time is always an argument.
//!
#![doc = include_str!("complete_storage.md")]
//!
//! [`BulkLoad`]: family_api_core::storage::BulkLoad
//! [`BulkUpdate`]: family_api_core::storage::BulkUpdate
//! [`Capabilities::updates`]: family_api_core::storage::Capabilities::updates
//! [`CredentialStorage`]: family_api_core::storage::CredentialStorage
//! [`GrantStorage`]: family_api_core::storage::GrantStorage
//! [capabilities]: family_api_core::storage::WriteStorage::capabilities
#![expect(clippy::unwrap_used, clippy::panic, reason = "a case fails by panicking")]

mod case;
mod fixture;
mod host_ids;
mod subject;
mod suites;

mod author;
mod boards;
mod credentials;
mod events;
mod grant_author;
mod grant_end;
mod grant_misuse;
mod grants;
mod health;
mod key_insertion;
mod key_purge;
mod key_use;
mod keys;
mod load;
mod members;
mod note_update;
mod notes;
mod overlapping_events;
mod precondition;
mod revision;
mod revoked_access;
mod shopping;
mod task_column;
mod task_fields;
mod task_move;
mod task_people;
mod task_stats;
mod tasks;
mod update;
mod users;
mod writes;

pub use case::Case;
pub use subject::{CredentialsSubject, GrantsSubject, LoadSubject, Subject, UpdateSubject, seed_by_load};
pub use suites::{credentials_cases, grants_cases, load_cases, storage_cases, update_cases};

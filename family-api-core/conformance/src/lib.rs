//! A test suite for storages: the behaviour that every implementation must have.
//!
//! Implement [`Subject`]: a subject returns your storage and seeds the storage with records. A macro then generates one
//! `#[tokio::test]` per case. The name of the test is the behaviour that it checks:
//!
//! ```
//! use async_trait::async_trait;
//! use family_api_conformance::{Subject, seed_by_load};
//! use family_api_memory::MemoryStorage;
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
//! [`BulkUpdate`], [`credentials_conformance!`] if it implements [`CredentialStorage`], [`grants_conformance!`] if it
//! implements [`GrantStorage`], and [`feeds_conformance!`] if it implements [`FeedStorage`].
//!
//! # Capabilities
//!
//! The suite follows from the [capabilities] of the storage. Every case seeds only the records and fields that the
//! storage keeps, creates records where the storage keeps them, and expects the fields that are kept. A case about
//! writes of any kind of record checks each kind with the operations that the storage supports. The case
//! `operations_outside_the_capabilities_fail` checks that the storage does not pretend to support other operations. A
//! storage that creates or deletes categories of notes also updates them, because only an update reads a category.
//!
//! The cases about the log of changes apply to a storage that [keeps one]. They check that each write is in the log
//! once, that a member learns only of records that they could see, and that everything else expires the earlier
//! revisions.
//!
//! A case that the storage cannot have is [left out](Case::left_out). Its test passes and prints the reason, such as
//! `needs boards`. [`left_out_cases`] returns all of them.
//!
//! | cases | left out unless the storage |
//! |---|---|
//! | `health`, `keys`, `key_*`, `users`, `members` | |
//! | `boards`, `task_column`, `task_move` | keeps boards, and the order of tasks |
//! | `tasks`, `events`, `overlapping_events`, `shopping`, `notes`, `task_stats` | keeps the resource |
//! | `task_fields`, `task_people`, `note_update` | updates tasks, or notes |
//! | cases with `private` or `invisible_column` in the name | keeps the field `isPrivate`, or boards |
//! | `author`, `precondition`, `revision`, `record_writes`, `guarantees` | supports the operations on some kind |
//! | `creation`, `repetition`, `record_limit` | creates records of some kind |
//! | `restoration`, `record_purge` | deletes and restores records |
//! | `containers` | deletes boards, columns, lists or categories |
//! | `checked_items` | deletes items |
//! | `changed_records`, `change_*` | keeps a log of changes, and supports the operations on some kind |
//! | `load_cases`, `update_cases` | keeps every record and field |
//!
//! # Failures
//!
//! A case panics at the line of its check. The message names the call of the storage whose result is wrong, and the
//! first difference, and shows the expected and the actual result as JSON:
//!
//! ```text
//! list_notes as ada: expected "Soup 🍲" at /0/title, but got "soup"
//! ```
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
//! [`storage_cases`], [`load_cases`], [`update_cases`], [`credentials_cases`], [`grants_cases`] and [`feeds_cases`]
//! return. No case sleeps: the time is always an argument.
//!
#![doc = include_str!("complete_storage.md")]
//!
//! [`BulkLoad`]: family_api_core::storage::BulkLoad
//! [`BulkUpdate`]: family_api_core::storage::BulkUpdate
//! [`CredentialStorage`]: family_api_core::storage::CredentialStorage
//! [`FeedStorage`]: family_api_core::storage::FeedStorage
//! [`GrantStorage`]: family_api_core::storage::GrantStorage
//! [keeps one]: family_api_core::storage::Capabilities::with_changes
//! [capabilities]: family_api_core::storage::WriteStorage::capabilities
#![expect(clippy::unwrap_used, clippy::panic, reason = "a case fails by panicking")]

mod case;
mod fixture;
mod host_ids;
mod subject;
mod suites;

mod author;
mod boards;
mod changes;
mod credentials;
mod events;
mod feeds;
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

pub use case::{Case, left_out_cases};
pub use subject::{
    CredentialsSubject, FeedsSubject, GrantsSubject, LoadSubject, Subject, UpdateSubject, seed_by_load, seed_key,
};
pub use suites::{credentials_cases, feeds_cases, grants_cases, load_cases, storage_cases, update_cases};

//! Stores the families of a family integration API in [SQLite](sqlite) or [PostgreSQL](postgres).
//!
//! [`SqliteStorage`](sqlite::SqliteStorage) is an embedded storage in one file.
//! [`PostgresStorage`](postgres::PostgresStorage) is for any number of nodes. Both implement the traits of
//! [`family_api_core::storage`] that the API needs, and those for imports, exports, administration, passwords,
//! sessions, grants and calendar feeds. Both create their tables when they open a database.
//!
//! ```
//! # #[cfg(feature = "sqlite")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use family_api_core::FamilyApi;
//! use family_api_core::storage::{BulkLoad, Export, ExportedPasswords, Record};
//! use family_api_sql::sqlite::SqliteStorage;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("family.db");
//! let storage = SqliteStorage::open(path).await?;
//! let family = br#"{"type":"family","id":"f1","name":"Rivera","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}"#;
//! let mut loader = storage.begin_load().await?;
//! loader.insert(Record::from_json(family)?).await?;
//! loader.commit().await?;
//!
//! let mut exporter = storage.begin_export(None, ExportedPasswords::None).await?;
//! assert_eq!(exporter.next().await?.len(), 1);
//!
//! let api = FamilyApi::new(Arc::new(storage));
//! # drop(api);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "sqlite"))]
//! # fn main() {}
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `sqlite` | the module `sqlite`. Default: enabled |
//! | `postgres` | the module `postgres` |
//! | `postgres-tls` | encrypted connections to PostgreSQL |

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(not(any(feature = "postgres", feature = "sqlite")))]
compile_error!("enable the feature `sqlite` or `postgres` of family-api-sql");

mod account;
mod administration;
mod after_restore;
mod any_connection;
mod batched_statement;
mod bulk;
mod changes;
mod columns;
mod deleted_records;
mod feeds;
mod grants;
mod idempotency_keys;
mod inspection;
mod keys;
mod migration_state;
mod password;
#[cfg(feature = "postgres")]
pub mod postgres;
mod purge;
mod restorable;
mod revoked_access;
mod sessions;
mod sql_connection;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod statistics;
mod task_stats;
mod token_batcher;
mod turns;
mod visible;
mod writes;

pub use inspection::{Finding, Inspection};
pub use migration_state::{SchemaError, SchemaState};
pub use statistics::{PoolStatistics, StorageStatistics};

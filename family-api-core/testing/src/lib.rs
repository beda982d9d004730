//! Starts a PostgreSQL server for tests, finds a browser and web proxies for tests, builds lines of the import format,
//! and checks words of pages.
//!
//! ```
//! use family_api_testing::Server;
//! use sqlx::Row;
//!
//! family_api_testing::postgres_tests! {
//!     async fn a_new_database_is_empty() {
//!         let database = Server::shared().create_database().await;
//!         let mut connection = database.connect().await;
//!         let counted = sqlx::query("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
//!         assert_eq!(counted.fetch_one(&mut connection).await.unwrap().get::<i64, _>(0), 0);
//!     }
//! }
//! ```
//!
//! - **One server per test process.** [`Server::shared`] starts it on first use, in about half a second. Each test
//!   creates its own [`Database`] on this server. A test that stops a server starts its own with [`Server::start`].
//! - **Cleanup is guaranteed.** A guard process reads from a pipe of the test process. When the tests end, even by
//!   `SIGKILL`, the guard stops the server and removes its folder.
//! - **Text is not sorted by code point.** The collation is ICU's en-US, in which `'a' < 'B'`, so a missing
//!   `COLLATE "C"` makes a test fail. It requires PostgreSQL 15 or newer, built with ICU.
//! - **Acknowledged writes survive** [`Shutdown::Immediate`], which simulates a crash of the server. They do not
//!   survive a crash of the machine: `fsync` is off, and the folder is in memory (`/dev/shm`) if there is room and
//!   `TMPDIR` is not set.
//! - **Network faults** are simulated by a [`Proxy`]. It cuts or stalls all connections, cuts a connection before its
//!   n-th message, or cuts a connection after a commit so that the response is lost.
//!
//! The programs (`initdb`, `pg_ctl`, `postgres`) are searched in `PATH`, then in the folders of Debian, Red Hat and
//! Homebrew. If the tests run as root, the programs run as `postgres` or `nobody`. If the build finds no programs, it
//! prints a warning, and the tests of [`postgres_tests!`] and [`on_postgres!`] are ignored. Set the environment
//! variable `FAMILY_API_TEST_POSTGRES` to `required` to make them fail instead, or to `off` to always ignore them.
//!
//! Tests on a Citus cluster are ignored unless the variable `FAMILY_API_TEST_CITUS` contains the URL of a database on
//! its coordinator, see [`on_citus!`]. The extension must be installed in the database, and the role of the URL must be
//! allowed to create schemas.
//!
//! Tests with Prometheus' `promtool` are ignored in the same way, see [`on_promtool!`]. Their variable is
//! `FAMILY_API_TEST_PROMTOOL` (`required` or `off`).
//!
//! Tests in a browser are ignored in the same way, see [`on_chromium!`] and [`on_axe!`]. Their variables are
//! `FAMILY_API_TEST_BROWSER` (`required` or `off`) and `FAMILY_API_TEST_AXE` (the path of axe-core's `axe.min.js`).
//! Tests behind nginx and Caddy are ignored in the same way, see [`on_web_proxies!`]. Their variable is
//! `FAMILY_API_TEST_PROXIES` (`required` or `off`).
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

pub mod chromium;
pub mod citus;
mod database;
mod guard;
mod lines;
mod macros;
mod programs;
pub mod promtool;
mod proxy;
mod server;
mod user;
pub mod web_proxies;
mod words;

pub use database::Database;
pub use lines::{required_fields, with};
pub use proxy::Proxy;
pub use serde_json::json;
pub use server::{Server, Shutdown};
pub use words::programmers_words;

/// Compiles the examples in the README of the workspace.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

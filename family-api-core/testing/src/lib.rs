//! A PostgreSQL that the tests start themselves.
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
//! - **A server for each test process.** [`Server::shared`] starts it for the first test that asks, within about half a
//!   second; each test has a [`Database`] of its own there. A test that stops the server takes [`Server::start`].
//! - **Nothing is left.** A guard process holds the end of a pipe. However the tests end, `SIGKILL` included, it stops
//!   the server and removes its folder.
//! - **It does not sort by code point.** The collation is ICU's en-US, in which `'a' < 'B'`, so that a forgotten
//!   `COLLATE "C"` shows; this is what needs PostgreSQL 15 or newer, built with ICU.
//! - **What was acknowledged stays** when the server is stopped as in a crash. Against the machine's own crash it is not
//!   guarded: it does not wait for the disk, and has its folder in memory (`/dev/shm`) where there is room and `TMPDIR`
//!   is not set.
//! - **Faults on the way** are made by a [`Proxy`]: a line that is cut, that hangs, that is cut before the n-th message
//!   or after a commit whose answer is then never heard.
//!
//! The programs (`initdb`, `pg_ctl`, `postgres`) are taken from the path, else from where Debian, Red Hat and Homebrew
//! put them; as root, they run as `postgres` or `nobody`. Where the build finds none, it says so in a warning, and what
//! [`postgres_tests!`] and [`on_postgres!`] stamp counts as ignored. With `FAMILY_API_TEST_POSTGRES=required` in the
//! environment nothing is ignored, and the tests fail with that message; with `off` they are ignored in any case.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

mod database;
mod guard;
mod macros;
mod programs;
mod proxy;
mod server;
mod user;

pub use database::Database;
pub use proxy::Proxy;
pub use server::{Server, Shutdown};

/// What the README of the workspace shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

//! Tests of the PostgreSQL storage beyond the conformance suite.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

/// Turns each function into a test. The shared test files in `support` use it. The SQLite tests define another macro
/// with this name.
macro_rules! tests {
    ($($test:tt)*) => {
        family_api_testing::postgres_tests! { $($test)* }
    };
}

mod distribution;
#[path = "../support/documents.rs"]
mod documents;
#[path = "../support/family.rs"]
mod family;
mod faults;
mod fixture;
#[path = "../support/followers.rs"]
mod followers;
#[path = "../support/grants.rs"]
mod grants;
#[path = "../support/history.rs"]
mod history;
mod hosts_pool;
mod inspection;
mod invalid_data;
mod key_connection;
#[path = "../support/load.rs"]
mod load;
mod migrations;
#[path = "../support/moves.rs"]
mod moves;
mod nodes;
#[path = "../support/old_rows.rs"]
mod old_rows;
mod opening;
#[path = "../support/orphans.rs"]
mod orphans;
#[path = "../support/purge.rs"]
mod purge;
#[path = "../support/record_bound.rs"]
mod record_bound;
#[path = "../support/removal.rs"]
mod removal;
#[path = "../support/restored.rs"]
mod restored;
#[path = "../support/revisions.rs"]
mod revisions;
mod schema;
#[path = "../support/sequence.rs"]
mod sequence;
mod tables;
#[cfg(feature = "postgres-tls")]
mod tls;
#[path = "../support/update.rs"]
mod update;

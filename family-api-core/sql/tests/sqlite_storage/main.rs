//! Tests of the SQLite storage beyond the conformance suite.
#![cfg(feature = "sqlite")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

/// Turns each function into a test. The shared test files in `support` use it. The PostgreSQL tests define another
/// macro with this name.
macro_rules! tests {
    ($($(#[$attribute:meta])* async fn $name:ident() $body:block)*) => {
        $($(#[$attribute])* #[tokio::test] async fn $name() $body)*
    };
}

#[path = "../support/documents.rs"]
mod documents;
#[path = "../support/family.rs"]
mod family;
mod fixture;
#[path = "../support/followers.rs"]
mod followers;
#[path = "../support/grants.rs"]
mod grants;
#[path = "../support/history.rs"]
mod history;
mod invalid_data;
mod key_cache;
#[path = "../support/load.rs"]
mod load;
#[path = "../support/moves.rs"]
mod moves;
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
mod removal_under_lock;
#[path = "../support/restored.rs"]
mod restored;
#[path = "../support/revisions.rs"]
mod revisions;
#[path = "../support/sequence.rs"]
mod sequence;
mod tables;
#[path = "../support/update.rs"]
mod update;
mod waiting_writes;

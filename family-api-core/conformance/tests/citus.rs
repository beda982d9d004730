//! Runs the conformance suite on a Citus cluster, over tables that [`CITUS_DISTRIBUTION`] has distributed.

use family_api_sql::postgres::{CITUS_DISTRIBUTION, PostgresStorage};
use family_api_testing::{citus, on_citus};
use sqlx::{Connection, Executor, PgConnection};
use tokio::sync::{Mutex, MutexGuard};

use crate::subject::Stored;

/// The tables of the tests are in a schema of their own.
const CREATE_SCHEMA: &str = "
    DROP SCHEMA IF EXISTS family_api_test CASCADE;
    CREATE SCHEMA family_api_test";

/// Deletes all rows. The records of a family and the credentials of a user are deleted with it, by foreign keys.
const DELETE_ROWS: &str = "
    BEGIN;
    SET LOCAL citus.multi_shard_modify_mode = 'sequential';
    DELETE FROM families;
    DELETE FROM users;
    DELETE FROM signing_keys;
    COMMIT";

/// Returns a subject on the tables that all tests use, one test at a time.
async fn subject() -> Stored<PostgresStorage, MutexGuard<'static, bool>> {
    static IS_DISTRIBUTED: Mutex<bool> = Mutex::const_new(false);

    let mut is_distributed = IS_DISTRIBUTED.lock().await;
    let url = url();
    if !*is_distributed {
        distribute(&url).await;
        *is_distributed = true;
    }
    PgConnection::connect(&url).await.unwrap().execute(DELETE_ROWS).await.unwrap();
    Stored { storage: PostgresStorage::open(&url).await.unwrap(), place: is_distributed }
}

/// Returns the URL of the cluster, with the schema of the tests.
fn url() -> String {
    let url = citus::url().unwrap();
    let delimiter = if url.contains('?') { '&' } else { '?' };
    format!("{url}{delimiter}options[search_path]=family_api_test")
}

/// Creates the tables, and distributes them as an operator does.
async fn distribute(url: &str) {
    let mut operator = PgConnection::connect(url).await.unwrap();
    operator.execute(CREATE_SCHEMA).await.unwrap();
    PostgresStorage::open(url).await.unwrap().close().await;
    // Citus sends the whole text of a DDL statement to the workers, which accept only one statement.
    for statement in CITUS_DISTRIBUTION.split_inclusive(";\n") {
        operator.execute(statement).await.unwrap();
    }
}

on_citus!(family_api_conformance::storage_conformance, subject().await);
on_citus!(family_api_conformance::load_conformance, subject().await);
on_citus!(family_api_conformance::credentials_conformance, subject().await);
on_citus!(family_api_conformance::grants_conformance, subject().await);
on_citus!(family_api_conformance::feeds_conformance, subject().await);

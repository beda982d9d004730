//! Runs the conformance suite on a Citus cluster, over tables that [`CITUS_DISTRIBUTION`] has distributed.

use async_trait::async_trait;
use family_api_core::conformance::{CredentialsSubject, GrantsSubject, LoadSubject, Subject, seed_by_load};
use family_api_core::storage::postgres::{CITUS_DISTRIBUTION, PostgresStorage};
use family_api_core::storage::{BulkLoad, CredentialStorage, GrantStorage, Record, Storage};
use family_api_testing::{citus, on_citus};
use sqlx::{Connection, Executor, PgConnection};
use tokio::sync::{Mutex, MutexGuard};

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

struct Citus {
    storage: PostgresStorage,
    /// All tests use the same tables, one test at a time.
    _turn: MutexGuard<'static, bool>,
}

async fn subject() -> Citus {
    static IS_DISTRIBUTED: Mutex<bool> = Mutex::const_new(false);

    let mut is_distributed = IS_DISTRIBUTED.lock().await;
    let url = url();
    if !*is_distributed {
        distribute(&url).await;
        *is_distributed = true;
    }
    PgConnection::connect(&url).await.unwrap().execute(DELETE_ROWS).await.unwrap();
    Citus { storage: PostgresStorage::open(&url).await.unwrap(), _turn: is_distributed }
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

#[async_trait]
impl Subject for Citus {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        seed_by_load(&self.storage, records).await;
    }
}

impl LoadSubject for Citus {
    fn load(&self) -> &dyn BulkLoad {
        &self.storage
    }
}

impl CredentialsSubject for Citus {
    fn credentials(&self) -> &dyn CredentialStorage {
        &self.storage
    }
}

impl GrantsSubject for Citus {
    fn grants(&self) -> &dyn GrantStorage {
        &self.storage
    }
}

on_citus!(family_api_core::storage_conformance, subject().await);
on_citus!(family_api_core::load_conformance, subject().await);
on_citus!(family_api_core::credentials_conformance, subject().await);
on_citus!(family_api_core::grants_conformance, subject().await);

//! Runs the conformance suite on the storage in an SQLite file.

use tempfile::TempDir;

use crate::subject::{SqliteStorage, Stored};

pub(crate) async fn subject() -> Stored<SqliteStorage, TempDir> {
    let place = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(place.path().join("family.db")).await.unwrap();
    Stored { storage, place }
}

family_api_conformance::storage_conformance!(subject().await);
family_api_conformance::load_conformance!(subject().await);
family_api_conformance::update_conformance!(subject().await);
family_api_conformance::credentials_conformance!(subject().await);
family_api_conformance::grants_conformance!(subject().await);
family_api_conformance::feeds_conformance!(subject().await);

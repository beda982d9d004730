//! Opening a file, and the errors for invalid ones.

use std::num::NonZeroU32;
use std::path::Path;

use family_api_core::storage::{Health, StorageError};
use family_api_sql::sqlite::{OpenError, SqliteOptions, SqliteStorage};

use crate::family::Fixture;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_opens_of_a_new_file_succeed() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        let openings: Vec<_> = (0..6).map(|_| tokio::spawn(SqliteStorage::open(path.clone()))).collect();
        for opening in openings {
            opening.await.unwrap().unwrap().check().await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_path_and_a_url_open_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b.db");
    SqliteStorage::open(&path).await.unwrap().close().await;
    let url = format!("sqlite:{}", path.display());
    let storage = SqliteOptions::new(url).readers(NonZeroU32::MIN).open().await.unwrap();
    storage.check().await.unwrap();
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().filter(|file| is_database(&file.as_ref().unwrap().path())).count(),
        1
    );
}

fn is_database(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "db")
}

#[tokio::test]
async fn closing_writes_everything_to_the_database_file() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
    storage.check().await.unwrap();
    storage.close().await;
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["family.db"]);
    assert!(matches!(storage.check().await, Err(StorageError::Unavailable(_))));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let text = "not a database ".repeat(100);
    std::fs::write(&path, &text).unwrap();
    let error = SqliteStorage::open(&path).await.unwrap_err();
    assert!(matches!(error, OpenError::Storage(StorageError::Corrupt(_))), "{error:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn a_path_in_a_missing_folder_or_of_a_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("missing/family.db"), folder.path().to_owned()] {
        let error = SqliteStorage::open(&path).await.unwrap_err();
        assert!(matches!(error, OpenError::Storage(StorageError::Unavailable(_))), "{error:?}");
    }
}

#[tokio::test]
async fn an_invalid_file_path_is_refused() {
    for database in ["sqlite::memory:", ":memory:", "sqlite:file:family.db", "file:family.db?vfs=unix"] {
        assert!(matches!(SqliteStorage::open(database).await, Err(OpenError::NoFile)), "{database}");
    }
    let unknown_mode = SqliteStorage::open("sqlite:family.db?mode=sideways").await;
    assert!(matches!(unknown_mode, Err(OpenError::Storage(StorageError::Backend(_)))));
}

#[tokio::test]
async fn an_in_memory_or_read_only_url_creates_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("family.db");
    for query in ["mode=memory", "mode=ro", "mode=%72o", "cache=private&mode=ro", "mode=ro&mode=rwc"] {
        let opened = SqliteStorage::open(format!("sqlite:{}?{query}", path.display())).await;
        assert!(matches!(opened, Err(OpenError::NoFile)), "{query}: {opened:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{query}");
    }
    for query in ["mode=rwc", "mode=rw"] {
        SqliteStorage::open(format!("sqlite:{}?{query}", path.display())).await.unwrap().close().await;
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_symbolic_link_opens_but_does_not_create_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("family.db"), folder.path().join("link.db"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for database in [link.display().to_string(), format!("sqlite:{}?mode=rwc", link.display())] {
        let error = SqliteStorage::open(&database).await.unwrap_err();
        assert!(matches!(error, OpenError::Storage(StorageError::Unavailable(_))), "{error:?}");
        assert!(!file.exists(), "{database}");
    }
    SqliteStorage::open(&file).await.unwrap().close().await;
    SqliteStorage::open(&link).await.unwrap().close().await;
}

#[tokio::test]
async fn the_migration_table_has_its_own_name() {
    let fixture = Fixture::empty().await;
    assert_eq!(fixture.count("SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'").await, 0);
    assert!(fixture.count("SELECT count(*) FROM _family_api_migrations").await > 0);
}

#[tokio::test]
async fn debug_output_contains_no_details() {
    assert_eq!(format!("{:?}", Fixture::empty().await.storage), "SqliteStorage { .. }");
}

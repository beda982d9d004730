//! Tests of the pool, and of large documents.

use family_api_core::resource::{Note, TaskFilter};
use family_api_core::storage::{Health, ReadStorage};
use futures_util::FutureExt;
use futures_util::future::{join_all, poll_immediate};
use sqlx::Executor;
use tempfile::TempDir;

use super::*;
use crate::sqlite::document_builder::LARGE_DOCUMENT;
use crate::sqlite::{SqliteOptions, SqliteStorage};

/// The families `small` and `large`, in each of which `ana-FAMILY` is the only member. The document of the large
/// family's notes has 8 MB, and each family has 200 tasks in the first of two columns.
const SEED: &str = "
    INSERT INTO families (id, name, created_at, updated_at)
    SELECT value, '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM json_each('[\"small\", \"large\"]');
    INSERT INTO users (id, family_id, name, email, display_currency, time_zone, personal_api_enabled,
        llm_key_configured, created_at, updated_at)
    SELECT 'ana-' || id, id, '', id, 'EUR', 'UTC', TRUE, FALSE, created_at, created_at FROM families;
    INSERT INTO boards (family_id, id, name, \"order\", is_private, created_at, updated_at)
    SELECT id, 'board', '', 0, FALSE, created_at, created_at FROM families;
    INSERT INTO columns (family_id, id, board_id, name, \"order\", created_at)
    SELECT family_id, value, boards.id, '', value, created_at FROM boards, json_each('[1, 2]');
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200)
    INSERT INTO tasks (family_id, id, column_id, title, priority, \"order\", labels, is_private, created_at, updated_at)
    SELECT id, n, '1', '', 'LOW', n, '[]', FALSE, created_at, created_at FROM families, numbers;
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40)
    INSERT INTO notes (family_id, id, title, content, pinned, tags, author_id, created_at, updated_at)
    SELECT id, n, 'Ї' || char(31), printf('%.*c', iif(id = 'large', 200000, 20), 'x'), n % 2, '[]', 'ana-' || id,
        created_at, created_at
    FROM families, numbers;";

struct Fixture {
    storage: SqliteStorage,
    folder: TempDir,
}

impl Fixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions::new(folder.path().join("family.db")).readers(NonZeroU32::new(2).unwrap());
        let storage = options.open().await.unwrap();
        let mut seed = storage.database.begin().await.unwrap();
        seed.execute(SEED).await.unwrap();
        seed.commit().await.unwrap();
        Self { storage, folder }
    }

    async fn execute(&self, sql: &'static str) {
        let mut write = self.storage.database.begin().await.unwrap();
        write.execute(sql).await.unwrap();
        write.commit().await.unwrap();
    }

    async fn list_notes(&self, family: &str) -> Result<Document<Vec<Note>>, StorageError> {
        self.storage.list_notes(&member(family)).await
    }

    fn documents(&self) -> &DocumentReaders {
        &self.storage.documents
    }
}

fn member(family: &str) -> Member {
    Member { user: format!("ana-{family}").parse().unwrap(), family: family.parse().unwrap() }
}

#[tokio::test]
async fn a_large_document_equals_the_output_of_serde() {
    let fixture = Fixture::new().await;
    for document in join_all((0..6).map(|_| fixture.list_notes("large"))).await {
        let document = document.unwrap();
        assert!(document.as_bytes().len() > LARGE_DOCUMENT);
        let notes = document.parse().unwrap();
        assert_eq!(notes.len(), 40);
        assert!(serde_json::to_vec(&notes).unwrap() == document.as_bytes(), "different bytes");
        assert_eq!(notes[0].author.as_ref().map(|author| author.id.as_str()), Some("ana-large"));
    }
    assert_eq!(fixture.documents().large.available_permits(), 1);
}

#[tokio::test]
async fn a_second_large_document_waits_and_a_small_one_does_not() {
    let fixture = Fixture::new().await;
    let permit = acquire(&fixture.documents().large).await.unwrap();
    // Two connections would be in use if the waiting documents kept them.
    let mut waiting = Box::pin(join_all((0..2).map(|_| fixture.list_notes("large"))));
    while fixture.documents().statistics().idle < 2 {
        assert!(poll_immediate(&mut waiting).await.is_none());
        tokio::task::yield_now().await;
    }
    assert_eq!(fixture.list_notes("small").await.unwrap().parse().unwrap().len(), 40);
    drop(permit);
    assert!(waiting.await.iter().all(Result::is_ok));

    let _permit = acquire(&fixture.documents().large).await.unwrap();
    tokio::time::pause();
    let refused = fixture.list_notes("large").await;
    assert!(matches!(refused, Err(StorageError::Unavailable(_))), "{refused:?}");
}

#[tokio::test]
async fn a_document_that_is_too_large_is_a_fault() {
    let mut fixture = Fixture::new().await;
    for family in ["small", "large"] {
        let length = fixture.list_notes(family).await.unwrap().as_bytes().len();
        fixture.storage.documents.max_bytes = length;
        assert_eq!(fixture.list_notes(family).await.unwrap().as_bytes().len(), length);
        fixture.storage.documents.max_bytes = length - 1;
        let notes = fixture.list_notes(family).await;
        assert!(matches!(notes, Err(StorageError::Unavailable(_))), "{notes:?}");
        fixture.storage.documents.max_bytes = MAX_DOCUMENT;
    }
    assert_eq!(fixture.documents().large.available_permits(), 1);
}

#[tokio::test]
async fn a_connection_with_an_open_transaction_is_closed() {
    let fixture = Fixture::new().await;
    let documents = fixture.documents();
    // Opening the storage has opened the first connection.
    assert_eq!(documents.statistics().open, 1);
    let connection = documents.connection().unwrap();
    connection.execute_batch("BEGIN").unwrap();
    documents.put_back(connection);
    assert_eq!(documents.statistics().open, 0);
    fixture.list_notes("small").await.unwrap();
    assert_eq!(documents.statistics().open, 1);
}

#[tokio::test]
async fn a_connection_that_is_put_back_counts_once() {
    let fixture = Fixture::new().await;
    let documents = fixture.documents();
    let _permits = documents.connections.acquire_many(2).await.unwrap();
    documents.put_back(documents.connection().unwrap());
    assert_eq!(documents.statistics().open, 2);
}

#[tokio::test]
async fn a_cancelled_read_keeps_its_connection_until_it_ends() {
    let fixture = Fixture::new().await;
    let idle = fixture.documents().idle();
    for _ in 0..20 {
        assert!(fixture.list_notes("large").now_or_never().is_none());
    }
    assert_eq!(fixture.documents().connections.available_permits(), 0);
    drop(idle);
    assert_eq!(fixture.list_notes("large").await.unwrap().parse().unwrap().len(), 40);
    // Closing waits for the cancelled reads.
    fixture.documents().close().await;
    assert_eq!(fixture.documents().statistics().open, 0);
    let closed = fixture.list_notes("small").await;
    assert!(matches!(closed, Err(StorageError::Unavailable(_))), "{closed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_has_one_revision_while_a_writer_commits() {
    const MOVE: [&str; 2] = [
        "UPDATE tasks SET column_id = '2', sequence = sequence + 1 WHERE family_id = 'small'",
        "UPDATE tasks SET column_id = '1', sequence = sequence + 1 WHERE family_id = 'small'",
    ];
    let fixture = Fixture::new().await;
    let first = fixture.storage.list_tasks(&member("small"), TaskFilter::All).await.unwrap().revision().unwrap();
    let write = async {
        for sql in MOVE.iter().cycle().take(100) {
            fixture.execute(sql).await;
        }
    };
    let read = async {
        let mut revisions = 0;
        for _ in 0..100 {
            let document = fixture.storage.list_tasks(&member("small"), TaskFilter::All).await.unwrap();
            let moves = (document.revision().unwrap().get() - first.get()) / 200;
            let boards = document.parse().unwrap();
            let counts = [0, 1].map(|column| boards[0].columns[column].tasks.len());
            assert_eq!(counts, if moves % 2 == 0 { [200, 0] } else { [0, 200] });
            revisions += usize::from(moves > 0);
        }
        revisions
    };
    assert!(tokio::join!(write, read).1 > 0);
}

#[tokio::test]
async fn a_text_that_is_no_text_is_a_fault_and_not_an_empty_document() {
    let fixture = Fixture::new().await;
    fixture.execute("UPDATE notes SET title = CAST(x'ff' AS TEXT) WHERE family_id = 'small' AND id = '7'").await;
    let notes = fixture.list_notes("small").await;
    assert!(matches!(notes, Err(StorageError::Corrupt(_))), "{notes:?}");
    fixture.execute("UPDATE users SET name = CAST(x'ff' AS TEXT) WHERE id = 'ana-large'").await;
    let notes = fixture.list_notes("large").await;
    assert!(matches!(notes, Err(StorageError::Corrupt(_))), "{notes:?}");
    // The faults leave no transaction behind.
    assert!(fixture.storage.list_tasks(&member("small"), TaskFilter::All).await.is_ok());
    assert!(fixture.storage.check().await.is_ok());
}

#[tokio::test]
async fn overwritten_pages_are_a_fault_and_not_a_shorter_document() {
    let fixture = Fixture::new().await;
    // The log is moved into the file.
    fixture.storage.close().await;
    let path = fixture.folder.path().join("family.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let storage = SqliteStorage::open(path).await.unwrap();
    let notes = storage.list_notes(&member("large")).await;
    assert!(matches!(notes, Err(StorageError::Corrupt(_))), "{notes:?}");
    assert_eq!(storage.documents.large.available_permits(), 1);
}

#[tokio::test]
async fn a_missing_table_is_a_fault_and_a_fault_keeps_the_connection_usable() {
    let fixture = Fixture::new().await;
    fixture.list_notes("small").await.unwrap();
    fixture.execute("ALTER TABLE note_categories RENAME TO renamed").await;
    for _ in 0..3 {
        assert!(matches!(fixture.list_notes("small").await, Err(StorageError::Backend(_))));
    }
    fixture.execute("ALTER TABLE renamed RENAME TO note_categories").await;
    assert_eq!(fixture.list_notes("small").await.unwrap().parse().unwrap().len(), 40);
}

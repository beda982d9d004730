//! Lookup of a container's family: a record refers to its container by id, without the family.
//!
//! The tables' keys begin with the family, so they cannot be searched by id alone. The load keeps a temporary table of
//! all containers, which moves to the disk when it grows. Temporary triggers keep it up to date. They also reject a
//! container whose id exists, an unknown owner, and a category that is its own parent. The table and the triggers are
//! deleted with the connection.

use sqlx::SqliteConnection;

use crate::storage::StorageError;
use crate::storage::sqlite::error::fault;

const CREATE: &str = "
    CREATE TEMP TABLE parents (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        family_id TEXT NOT NULL,
        PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;

    INSERT OR IGNORE INTO parents (kind, id, family_id)
    SELECT 'board', id, family_id FROM boards
    UNION ALL
    SELECT 'column', id, family_id FROM columns
    UNION ALL
    SELECT 'shoppingList', id, family_id FROM shopping_lists;

    CREATE TEMP TRIGGER loaded_boards AFTER INSERT ON main.boards BEGIN
        INSERT INTO parents (kind, id, family_id) VALUES ('board', NEW.id, NEW.family_id);
    END;

    CREATE TEMP TRIGGER loaded_columns AFTER INSERT ON main.columns BEGIN
        INSERT INTO parents (kind, id, family_id) VALUES ('column', NEW.id, NEW.family_id);
    END;

    CREATE TEMP TRIGGER loaded_shopping_lists AFTER INSERT ON main.shopping_lists BEGIN
        INSERT INTO parents (kind, id, family_id) VALUES ('shoppingList', NEW.id, NEW.family_id);
    END;

    CREATE TEMP TRIGGER board_owners BEFORE INSERT ON main.boards
    WHEN NEW.owner_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.owner_user_id) BEGIN
        SELECT RAISE(ABORT, 'unknown owner_user_id');
    END;

    CREATE TEMP TRIGGER shopping_list_owners BEFORE INSERT ON main.shopping_lists
    WHEN NEW.owner_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.owner_user_id) BEGIN
        SELECT RAISE(ABORT, 'unknown owner_user_id');
    END;

    CREATE TEMP TRIGGER category_parents BEFORE INSERT ON main.note_categories
    WHEN NEW.parent_id = NEW.id BEGIN
        SELECT RAISE(ABORT, 'unknown parent_id');
    END;";

/// Creates the table of containers with the existing ones, and the triggers.
pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<(), StorageError> {
    sqlx::raw_sql(CREATE).execute(connection).await.map_err(fault)?;
    Ok(())
}

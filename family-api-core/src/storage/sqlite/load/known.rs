//! Every id there is, in the database and in the load: ids are unique beyond a family, and parents are named without one.
//!
//! The tables lead with the family and cannot be searched for an id alone, so the load keeps a temporary table of them,
//! on disk where it grows. Temporary triggers keep it up to date and refuse an id that exists.

use sqlx::SqliteConnection;

use crate::storage::StorageError;
use crate::storage::sqlite::error::fault;

/// Only what has children needs to say in which family it is.
const BEGIN: &str = "
    CREATE TEMP TABLE known_ids (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        family_id TEXT,
        PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;

    INSERT OR IGNORE INTO known_ids (kind, id, family_id)
    SELECT 'family', id, NULL FROM families
    UNION ALL
    SELECT 'user', id, NULL FROM users
    UNION ALL
    SELECT 'key', id, NULL FROM integration_keys
    UNION ALL
    SELECT 'noteCategory', id, NULL FROM note_categories
    UNION ALL
    SELECT 'board', id, family_id FROM boards
    UNION ALL
    SELECT 'column', id, family_id FROM columns
    UNION ALL
    SELECT 'task', id, NULL FROM tasks
    UNION ALL
    SELECT 'event', id, NULL FROM events
    UNION ALL
    SELECT 'shoppingList', id, family_id FROM shopping_lists
    UNION ALL
    SELECT 'shoppingItem', id, NULL FROM shopping_items
    UNION ALL
    SELECT 'note', id, NULL FROM notes;

    CREATE TEMP TRIGGER known_families AFTER INSERT ON main.families BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('family', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_users AFTER INSERT ON main.users BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('user', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_integration_keys AFTER INSERT ON main.integration_keys BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('key', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_note_categories AFTER INSERT ON main.note_categories BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('noteCategory', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_boards AFTER INSERT ON main.boards BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('board', NEW.id, NEW.family_id);
    END;

    CREATE TEMP TRIGGER known_columns AFTER INSERT ON main.columns BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('column', NEW.id, NEW.family_id);
    END;

    CREATE TEMP TRIGGER known_tasks AFTER INSERT ON main.tasks BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('task', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_events AFTER INSERT ON main.events BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('event', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_shopping_lists AFTER INSERT ON main.shopping_lists BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('shoppingList', NEW.id, NEW.family_id);
    END;

    CREATE TEMP TRIGGER known_shopping_items AFTER INSERT ON main.shopping_items BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('shoppingItem', NEW.id, NULL);
    END;

    CREATE TEMP TRIGGER known_board_owners BEFORE INSERT ON main.boards
    WHEN NEW.owner_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.owner_user_id) BEGIN
        SELECT RAISE(ABORT, 'unknown owner_user_id');
    END;

    CREATE TEMP TRIGGER known_shopping_list_owners BEFORE INSERT ON main.shopping_lists
    WHEN NEW.owner_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.owner_user_id) BEGIN
        SELECT RAISE(ABORT, 'unknown owner_user_id');
    END;

    CREATE TEMP TRIGGER known_notes AFTER INSERT ON main.notes BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('note', NEW.id, NULL);
    END;";

const END: &str = "
    DROP TRIGGER known_families;
    DROP TRIGGER known_users;
    DROP TRIGGER known_integration_keys;
    DROP TRIGGER known_note_categories;
    DROP TRIGGER known_boards;
    DROP TRIGGER known_columns;
    DROP TRIGGER known_tasks;
    DROP TRIGGER known_events;
    DROP TRIGGER known_shopping_lists;
    DROP TRIGGER known_shopping_items;
    DROP TRIGGER known_board_owners;
    DROP TRIGGER known_shopping_list_owners;
    DROP TRIGGER known_notes;
    DROP TABLE known_ids";

/// Gathers the ids that are there, and keeps watch.
pub(super) async fn begin(writer: &mut SqliteConnection) -> Result<(), StorageError> {
    sqlx::raw_sql(BEGIN).execute(writer).await.map_err(fault)?;
    Ok(())
}

/// Leaves the connection as it was; a rollback does the same.
pub(super) async fn end(writer: &mut SqliteConnection) -> Result<(), StorageError> {
    sqlx::raw_sql(END).execute(writer).await.map_err(fault)?;
    Ok(())
}

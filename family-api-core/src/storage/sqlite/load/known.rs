//! Every id there is, in the database and in the load: ids are unique beyond a family, and parents are named without one.
//!
//! The tables lead with the family and cannot be searched for an id alone, so the load keeps a temporary table of them,
//! on disk where it grows. Temporary triggers keep it up to date and refuse an id that exists. All of them go with the
//! connection.

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

    CREATE TEMP TRIGGER known_category_parents BEFORE INSERT ON main.note_categories
    WHEN NEW.parent_id = NEW.id BEGIN
        SELECT RAISE(ABORT, 'unknown parent_id');
    END;

    CREATE TEMP TRIGGER known_notes AFTER INSERT ON main.notes BEGIN
        INSERT INTO known_ids (kind, id, family_id) VALUES ('note', NEW.id, NULL);
    END;";

/// Gathers the ids that are there, and keeps watch.
pub(super) async fn begin(writer: &mut SqliteConnection) -> Result<(), StorageError> {
    sqlx::raw_sql(BEGIN).execute(writer).await.map_err(fault)?;
    Ok(())
}

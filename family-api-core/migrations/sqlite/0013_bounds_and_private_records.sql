-- Each deleted record lowers the bound of its kind by 1, so that a full family need not count its records when a creation
-- is refused. A bound that would become negative is unknown.
--
-- When the records of all kinds were last counted. The service counts them if a bound is NULL, or has reached the limit a
-- while after the last count: a host may have changed records without the bound.
ALTER TABLE families ADD COLUMN records_counted_at TEXT;

DROP TRIGGER IF EXISTS tasks_deleted;
CREATE TRIGGER tasks_deleted AFTER DELETE ON tasks BEGIN
    UPDATE families SET revision = revision + 1, tasks_bound = CASE WHEN tasks_bound > 0 THEN tasks_bound - 1 END
    WHERE id = OLD.family_id;
END;

DROP TRIGGER IF EXISTS notes_deleted;
CREATE TRIGGER notes_deleted AFTER DELETE ON notes BEGIN
    UPDATE families SET revision = revision + 1, notes_bound = CASE WHEN notes_bound > 0 THEN notes_bound - 1 END
    WHERE id = OLD.family_id;
END;

DROP TRIGGER IF EXISTS events_deleted;
CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
    UPDATE families SET revision = revision + 1, events_bound = CASE WHEN events_bound > 0 THEN events_bound - 1 END
    WHERE id = OLD.family_id;
END;

DROP TRIGGER IF EXISTS shopping_items_deleted;
CREATE TRIGGER shopping_items_deleted AFTER DELETE ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1,
        shopping_items_bound = CASE WHEN shopping_items_bound > 0 THEN shopping_items_bound - 1 END
    WHERE id = OLD.family_id;
END;

-- The private records of a user in all families. The removal of the user finds them while it holds the write lock.
CREATE INDEX IF NOT EXISTS private_tasks ON tasks (creator_id, family_id) WHERE is_private;
CREATE INDEX IF NOT EXISTS private_boards ON boards (owner_user_id, family_id) WHERE is_private;
CREATE INDEX IF NOT EXISTS private_shopping_items ON shopping_items (added_by_id, family_id) WHERE is_private;
CREATE INDEX IF NOT EXISTS private_shopping_lists ON shopping_lists (owner_user_id, family_id) WHERE is_private;

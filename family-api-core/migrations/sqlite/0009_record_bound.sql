-- No kind of record of a family has more records than this number. NULL: unknown, for example after an import. Each
-- inserted record adds 1. A creation counts the records only if the number is NULL or has reached the limit, and then
-- replaces it by the largest count.
ALTER TABLE families ADD COLUMN record_bound INTEGER;

DROP TRIGGER IF EXISTS note_categories_inserted;
CREATE TRIGGER note_categories_inserted AFTER INSERT ON note_categories BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS notes_inserted;
CREATE TRIGGER notes_inserted AFTER INSERT ON notes BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS boards_inserted;
CREATE TRIGGER boards_inserted AFTER INSERT ON boards BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS columns_inserted;
CREATE TRIGGER columns_inserted AFTER INSERT ON columns BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS tasks_inserted;
CREATE TRIGGER tasks_inserted AFTER INSERT ON tasks BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS events_inserted;
CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS shopping_lists_inserted;
CREATE TRIGGER shopping_lists_inserted AFTER INSERT ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS shopping_items_inserted;
CREATE TRIGGER shopping_items_inserted AFTER INSERT ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1, record_bound = record_bound + 1 WHERE id = NEW.family_id;
END;

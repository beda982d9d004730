-- Upper bounds of the numbers of tasks, notes, events and shopping items of a family. A record counts once, and once more
-- for each full 4 KiB of its text. NULL: unknown, for example after an import. Each inserted record adds 1, and the
-- service adds the 4 KiB of text. It counts the records only if the bound is NULL or has reached the limit, and then
-- replaces the bound by the count.
ALTER TABLE families ADD COLUMN tasks_bound INTEGER;
ALTER TABLE families ADD COLUMN notes_bound INTEGER;
ALTER TABLE families ADD COLUMN events_bound INTEGER;
ALTER TABLE families ADD COLUMN shopping_items_bound INTEGER;

DROP TRIGGER IF EXISTS tasks_inserted;
CREATE TRIGGER tasks_inserted AFTER INSERT ON tasks BEGIN
    UPDATE families SET revision = revision + 1, tasks_bound = tasks_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS notes_inserted;
CREATE TRIGGER notes_inserted AFTER INSERT ON notes BEGIN
    UPDATE families SET revision = revision + 1, notes_bound = notes_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS events_inserted;
CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
    UPDATE families SET revision = revision + 1, events_bound = events_bound + 1 WHERE id = NEW.family_id;
END;

DROP TRIGGER IF EXISTS shopping_items_inserted;
CREATE TRIGGER shopping_items_inserted AFTER INSERT ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1, shopping_items_bound = shopping_items_bound + 1 WHERE id = NEW.family_id;
END;

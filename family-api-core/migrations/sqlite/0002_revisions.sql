-- A family's revision is another number after every change that a member could see, whoever makes it.
--
-- The triggers stand on the tables, so that a change by hand counts as one through the API does. A record that moves to
-- another family counts for both.

CREATE TRIGGER note_categories_inserted AFTER INSERT ON note_categories BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER note_categories_updated AFTER UPDATE ON note_categories BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER note_categories_deleted AFTER DELETE ON note_categories BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER notes_inserted AFTER INSERT ON notes BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER notes_updated AFTER UPDATE ON notes BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER notes_deleted AFTER DELETE ON notes BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER boards_inserted AFTER INSERT ON boards BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER boards_updated AFTER UPDATE ON boards BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER boards_deleted AFTER DELETE ON boards BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER columns_inserted AFTER INSERT ON columns BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER columns_updated AFTER UPDATE ON columns BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER columns_deleted AFTER DELETE ON columns BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER tasks_inserted AFTER INSERT ON tasks BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER tasks_updated AFTER UPDATE ON tasks BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER tasks_deleted AFTER DELETE ON tasks BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER events_updated AFTER UPDATE ON events BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER shopping_lists_inserted AFTER INSERT ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER shopping_lists_updated AFTER UPDATE ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER shopping_lists_deleted AFTER DELETE ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER shopping_items_inserted AFTER INSERT ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER shopping_items_updated AFTER UPDATE ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER shopping_items_deleted AFTER DELETE ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

-- Of a user, others see the person, and the user sees where their own days begin.
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER users_updated AFTER UPDATE OF id, family_id, name, image, color, emoji, time_zone ON users BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

-- Optional, for plain PostgreSQL 14 or newer: with these triggers, a family's revision and the `sequence` of an event or
-- a task also count the writes of a host and writes by hand. The storage counts its own writes without them. The file can
-- be applied at any time, and repeatedly.
--
-- A statement counts once for each family that it changes, even if it writes many rows. A record that moves to another
-- family counts for both. The functions use the `search_path` of the session that applies this file to find `families`.

BEGIN;

CREATE OR REPLACE FUNCTION family_api_count_revisions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE families SET revision = revision + 1 WHERE id IN (SELECT family_id FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN
        UPDATE families SET revision = revision + 1 WHERE id IN (SELECT family_id FROM old_rows);
    ELSE
        UPDATE families SET revision = revision + 1
        WHERE id IN (SELECT family_id FROM old_rows UNION SELECT family_id FROM new_rows);
    END IF;
    RETURN NULL;
END
$$;

-- After a TRUNCATE, the families of the deleted rows are unknown, so all families are counted.
CREATE OR REPLACE FUNCTION family_api_count_truncation() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE families SET revision = revision + 1;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    counted TEXT;
BEGIN
    FOREACH counted IN ARRAY ARRAY[
        'note_categories', 'notes', 'boards', 'columns', 'tasks', 'events', 'shopping_lists', 'shopping_items'
    ] LOOP
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER count_inserted AFTER INSERT ON %I
             REFERENCING NEW TABLE AS new_rows
             FOR EACH STATEMENT EXECUTE FUNCTION family_api_count_revisions()', counted);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER count_updated AFTER UPDATE ON %I
             REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
             FOR EACH STATEMENT EXECUTE FUNCTION family_api_count_revisions()', counted);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER count_deleted AFTER DELETE ON %I
             REFERENCING OLD TABLE AS old_rows
             FOR EACH STATEMENT EXECUTE FUNCTION family_api_count_revisions()', counted);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER count_truncated AFTER TRUNCATE ON %I
             FOR EACH STATEMENT EXECUTE FUNCTION family_api_count_truncation()', counted);
    END LOOP;
END
$$;

-- Members can see only some columns of a user. A trigger on certain columns cannot have transition tables, so this one
-- runs for each row.
CREATE OR REPLACE FUNCTION family_api_count_member() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER count_member
    AFTER INSERT OR DELETE OR UPDATE OF id, family_id, name, image, color, emoji, time_zone ON users
    FOR EACH ROW EXECUTE FUNCTION family_api_count_member();

CREATE OR REPLACE TRIGGER count_truncated AFTER TRUNCATE ON users
    FOR EACH STATEMENT EXECUTE FUNCTION family_api_count_truncation();

-- A change of a task or an event also adds 1 to its `sequence`, unless the statement raises it, as the service does. A
-- shift of tasks changes only their `order` and is no change of theirs. Neither is the first zone of an event, which an
-- import sets at its end.
CREATE OR REPLACE FUNCTION family_api_raise_sequence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.sequence := least(OLD.sequence + 1, 2147483647);
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER raise_sequence BEFORE UPDATE OF
    column_id, title, description, priority, due_date, recurrence, completed_at, last_completed_at, labels,
    is_private, assignee_id, creator_id, created_at, updated_at
ON tasks FOR EACH ROW WHEN (NEW.sequence <= OLD.sequence AND (
    OLD.column_id, OLD.title, OLD.description, OLD.priority, OLD.due_date, OLD.recurrence, OLD.completed_at,
    OLD.last_completed_at, OLD.labels, OLD.is_private, OLD.assignee_id, OLD.creator_id, OLD.created_at,
    OLD.updated_at
) IS DISTINCT FROM (
    NEW.column_id, NEW.title, NEW.description, NEW.priority, NEW.due_date, NEW.recurrence, NEW.completed_at,
    NEW.last_completed_at, NEW.labels, NEW.is_private, NEW.assignee_id, NEW.creator_id, NEW.created_at,
    NEW.updated_at
)) EXECUTE FUNCTION family_api_raise_sequence();

CREATE OR REPLACE TRIGGER raise_sequence BEFORE UPDATE OF
    title, description, emoji, color, start_date, end_date, all_day, time_zone, location, recurrence, overrides,
    assignee_id, participant_ids, created_at, updated_at
ON events FOR EACH ROW WHEN (NEW.sequence <= OLD.sequence AND (
    OLD.title, OLD.description, OLD.emoji, OLD.color, OLD.start_date, OLD.end_date, OLD.all_day,
    coalesce(OLD.time_zone, NEW.time_zone), OLD.location, OLD.recurrence, OLD.overrides, OLD.assignee_id,
    OLD.participant_ids, OLD.created_at, OLD.updated_at
) IS DISTINCT FROM (
    NEW.title, NEW.description, NEW.emoji, NEW.color, NEW.start_date, NEW.end_date, NEW.all_day, NEW.time_zone,
    NEW.location, NEW.recurrence, NEW.overrides, NEW.assignee_id, NEW.participant_ids, NEW.created_at,
    NEW.updated_at
)) EXECUTE FUNCTION family_api_raise_sequence();

COMMIT;

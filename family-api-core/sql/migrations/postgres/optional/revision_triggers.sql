-- Optional, for plain PostgreSQL 14 or newer: with these triggers, a family's revision also counts the writes of a host
-- and writes by hand. The storage counts its own writes without them. The file can be applied at any time, and
-- repeatedly.
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

COMMIT;

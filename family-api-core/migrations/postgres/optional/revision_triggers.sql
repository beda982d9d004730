-- Optional, for plain PostgreSQL: a family's revision also counts what a host, or somebody by hand, writes into the
-- tables. The storage's own writes count without it. It can be applied at any time, and again.
--
-- A record that moves to another family counts for both.

CREATE OR REPLACE FUNCTION family_api_count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
    END IF;
    IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.family_id IS DISTINCT FROM OLD.family_id) THEN
        UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON note_categories
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON notes
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON boards
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON columns
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON tasks
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON shopping_lists
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision AFTER INSERT OR UPDATE OR DELETE ON shopping_items
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

CREATE OR REPLACE TRIGGER count_revision
    AFTER INSERT OR DELETE OR UPDATE OF id, family_id, name, image, color, emoji, time_zone ON users
    FOR EACH ROW EXECUTE FUNCTION family_api_count_revision();

-- The id of a key is unique among all keys. A lookup by owner and id needs no other index. Keys that a host inserted with
-- the id of another key get a new id. Nothing refers to the id of a key.
--
-- On distributed tables, a unique index must contain the distribution column, so the index is not created there.
DO $$
BEGIN
    IF to_regclass('_family_api_distributed') IS NULL THEN
        DROP INDEX integration_keys_by_id;
        UPDATE integration_keys SET id = gen_random_uuid()::text
        WHERE id IN (SELECT id FROM integration_keys GROUP BY id HAVING count(*) > 1);
        CREATE UNIQUE INDEX integration_keys_by_id ON integration_keys (id);
    END IF;
END
$$;

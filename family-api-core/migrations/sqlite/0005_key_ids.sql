-- The id of a key is unique among all keys. A lookup by owner and id needs no other index.
DROP INDEX integration_keys_by_id;

-- Keys that a host inserted with the id of another key get a new id. Nothing refers to the id of a key.
UPDATE integration_keys SET id = lower(hex(randomblob(16)))
WHERE id IN (SELECT id FROM integration_keys GROUP BY id HAVING count(*) > 1);

CREATE UNIQUE INDEX integration_keys_by_id ON integration_keys (id);

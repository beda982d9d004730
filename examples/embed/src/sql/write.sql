-- The record 'null' deletes the row. If the record does not exist, no row is returned, which is an error.
UPDATE family_record SET record = ?4
WHERE household = ?1 AND kind = ?2 AND id = ?3
RETURNING id

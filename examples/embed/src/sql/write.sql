-- What becomes 'null' is gone. Where there is no such record, no row comes back, and that is an error.
UPDATE family_record SET record = ?4
WHERE household = ?1 AND kind = ?2 AND id = ?3
RETURNING id

-- Triggers in views.sql store the change in the app's tables. The record 'null' deletes the row. For an unknown id, no
-- row is returned, and the caller reports an error.
UPDATE family_record SET record = ?4
WHERE household = ?1 AND kind = ?2 AND id = ?3
RETURNING id

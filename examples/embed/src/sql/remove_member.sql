UPDATE person SET household = NULL, changed = ?3
WHERE id = ?2 AND household = (SELECT household FROM person WHERE id = ?1)
RETURNING json_object('id', id)

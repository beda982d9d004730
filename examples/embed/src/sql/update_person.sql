UPDATE person SET api_open = coalesce(?2, api_open), changed = iif(?2 IS NULL, changed, ?3)
WHERE id = ?1

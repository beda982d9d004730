UPDATE person SET api_open = coalesce(?2, api_open), zone = coalesce(?4, zone),
    changed = iif(coalesce(?2, ?4) IS NULL, changed, ?3)
WHERE id = ?1

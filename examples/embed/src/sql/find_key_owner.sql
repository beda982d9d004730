-- Returns whether the owner has switched on the personal API, and the number of the owner's active keys.
SELECT api_open, (
    SELECT count(*) FROM api_key WHERE person = p.id AND revoked IS NULL AND (until IS NULL OR until > ?2)
)
FROM person p
WHERE id = ?1

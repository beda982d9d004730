-- Returns the owner of a new key, and the number of active keys of the owner.
SELECT api_open, (
    SELECT count(*) FROM api_key WHERE person = p.id AND revoked IS NULL AND (until IS NULL OR until > ?2)
)
FROM person p
WHERE id = ?1

UPDATE api_key SET revoked = ?3
WHERE person = ?1 AND id = ?2 AND revoked IS NULL

UPDATE api_key SET revoked = ?2
WHERE person = ?1 AND revoked IS NULL AND (until IS NULL OR until > ?2)

SELECT record FROM key_record
WHERE person = ?1 AND revoked IS NULL AND (until IS NULL OR until > ?2)
ORDER BY record ->> 'createdAt' DESC, record ->> 'id' DESC

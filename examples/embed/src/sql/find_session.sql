SELECT person FROM ticket
WHERE digest = ?1 AND kind = 'session' AND until > ?2

-- The code turns into the session, so it opens none a second time.
UPDATE ticket SET digest = ?3, kind = 'session', until = ?4
WHERE digest = ?1 AND kind = 'code' AND until > ?2

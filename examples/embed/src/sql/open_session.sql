-- Turns the code into the session, so a code works only once.
UPDATE ticket SET digest = ?3, kind = 'session', until = ?4
WHERE digest = ?1 AND kind = 'code' AND until > ?2

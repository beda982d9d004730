-- Replaces the code with a session in the same row, so a code works only once.
UPDATE ticket SET digest = ?3, kind = 'session', until = ?4
WHERE digest = ?1 AND kind = 'code' AND until > ?2

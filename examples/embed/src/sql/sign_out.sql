-- Ends all sessions of the person, on every device. Also deletes the person's unused codes.
DELETE FROM ticket
WHERE person = ?1
RETURNING json_object('id', person)

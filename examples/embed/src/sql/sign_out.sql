-- Ends all sessions of the person, on every device.
DELETE FROM ticket
WHERE person = ?1
RETURNING json_object('id', person)

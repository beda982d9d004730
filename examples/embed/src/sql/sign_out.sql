-- Everywhere: also on the device that was lost.
DELETE FROM ticket
WHERE person = ?1
RETURNING json_object('id', person)

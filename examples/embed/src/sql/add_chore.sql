-- Adds a chore at the end of the first lane of a visible wall.
INSERT INTO chore (id, lane, title, urgency, state, place, author, made, changed)
SELECT lower(hex(randomblob(16))), l.id, ?2, 'medium', 'open',
    (SELECT coalesce(max(place) + 1, 0) FROM chore WHERE lane = l.id), p.id, ?3, ?3
FROM person p JOIN wall w ON w.household = p.household AND NOT w.hidden JOIN lane l ON l.wall = w.id
WHERE p.id = ?1
ORDER BY w.place, w.id, l.place, l.id
LIMIT 1
RETURNING json_object('id', id)

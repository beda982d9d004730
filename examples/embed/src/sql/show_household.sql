SELECT json_object('title', h.title, 'members', (
    SELECT json_group_array(m.name ORDER BY m.name) FROM person m WHERE m.household = h.id
))
FROM person p JOIN household h ON h.id = p.household
WHERE p.id = ?1

-- The rows that a call needs, as JSON. ?1 is the team, ?2 the person, ?3 the fields that are needed, ?4 and ?5 the kind
-- and the id of the deleted records, and ?6 the idempotency key.
SELECT json_object(
    'revision', revision,
    'people', (SELECT json_group_array(json_object('id', id, 'name', name, 'image', avatar, 'color', color))
        FROM person WHERE team = ?1),
    'boards', (SELECT json_group_array(json_object('id', id, 'name', name, 'description', about, 'color', color,
            'order', position, 'isPrivate', json('false'), 'ownerUserId', owner, 'createdAt', made,
            'updatedAt', changed, 'columns', json('[]')))
        FROM board WHERE team = ?1 AND (?3->'boards' = 'null' OR id = ?3->>'boards')),
    'columns', (SELECT json_group_array(json_object('id', id, 'boardId', board, 'name', name, 'color', color,
            'order', position, 'createdAt', made, 'tasks', json('[]')))
        FROM lane WHERE team = ?1 AND (?3->'columns' = 'null' OR id = ?3->>'columns')),
    'tasks', (SELECT json_group_array(json_object('id', id, 'columnId', lane, 'title', title, 'description', about,
            'priority', priority, 'dueDate', due, 'completed', json(iif(done IS NULL, 'false', 'true')),
            'completedAt', done, 'order', position, 'labels', json(labels), 'isPrivate', json('false'),
            'assigneeId', assignee, 'creatorId', creator, 'createdAt', made, 'updatedAt', changed))
        FROM card WHERE team = ?1 AND (?3->'tasks' = 'null' OR id = ?3->>'tasks')),
    'notes', (SELECT json_group_array(json_object('id', id, 'title', title, 'content', body, 'color', color,
            'pinned', json(iif(pinned, 'true', 'false')), 'tags', json(tags), 'authorId', author, 'createdAt', made,
            'updatedAt', changed))
        FROM note WHERE team = ?1 AND (?3->'notes' = 'null' OR id = ?3->>'notes')),
    'deleted', (SELECT json_group_array(json_object('kind', kind, 'id', id, 'record', json, 'deletedAt', deleted))
        FROM trash WHERE team = ?1 AND kind = ?4 AND (?5 IS NULL OR id = ?5)),
    'answers', (SELECT json_group_array(json(json)) FROM answer WHERE team = ?1 AND person = ?2 AND key = ?6))
FROM team WHERE id = ?1 AND EXISTS (SELECT 1 FROM person WHERE person.id = ?2 AND person.team = ?1)

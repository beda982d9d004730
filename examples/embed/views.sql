-- Converts the app's rows to the API's records (views) and back (triggers). No other file contains a conversion.
-- Records contain empty lists instead of nested records, and ids instead of users. `FamilyData` adds both.
--
-- A damaged instant of an optional column is converted to '', which the API and the columns refuse with an error. It is
-- not converted to NULL, because NULL means "not set": a key with a damaged `revoked` would be active again, and a
-- change of a chore would erase a damaged `due`. In required columns, NULL is refused too.

-- The database may contain an older version of the views. Dropping a view drops its triggers.
DROP VIEW IF EXISTS profile_record;
DROP VIEW IF EXISTS key_record;
DROP VIEW IF EXISTS family_record;

CREATE VIEW profile_record (person, record) AS
SELECT id, json_object(
    'id', id, 'name', name, 'email', mail, 'image', portrait, 'color', colour, 'emoji', emoji, 'familyId', household,
    'displayCurrency', currency, 'timeZone', zone, 'personalApiEnabled', json(iif(api_open, 'true', 'false')),
    'llmModel', ai_model, 'llmKeyConfigured', json(iif(ai_key IS NULL, 'false', 'true'))
)
FROM person;

CREATE VIEW key_record (digest, person, until, revoked, record) AS
SELECT digest, person, until,
    iif(revoked IS NULL, NULL, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', revoked / 1000.0, 'unixepoch'), '')),
    json_object(
        'id', id, 'mode', NULL, 'name', label, 'hint', hint, 'scopes', json(scopes),
        'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', made / 1000.0, 'unixepoch'),
        'expiresAt',
        iif(until IS NULL, NULL, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', until / 1000.0, 'unixepoch'), '')),
        'lastUsedAt',
        iif(used IS NULL, NULL, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', used / 1000.0, 'unixepoch'), ''))
    )
FROM api_key;

-- `kind` is the name of the field of `FamilyData` that contains the record.
CREATE VIEW family_record (household, kind, id, record) AS
SELECT household, 'people', id, json_object(
    'id', id, 'name', name, 'image', portrait, 'color', colour, 'emoji', emoji
)
FROM person
UNION ALL
SELECT household, 'boards', id, json_object(
    'id', id, 'name', title, 'description', about, 'emoji', emoji, 'color', colour, 'order', place,
    'isPrivate', json(iif(hidden, 'true', 'false')), 'ownerUserId', owner,
    'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', made / 1000.0, 'unixepoch'),
    'updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', changed / 1000.0, 'unixepoch'),
    'columns', json('[]')
)
FROM wall
UNION ALL
SELECT w.household, 'columns', l.id, json_object(
    'id', l.id, 'boardId', l.wall, 'name', l.title, 'emoji', l.emoji, 'color', l.colour, 'order', l.place,
    'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', l.made / 1000.0, 'unixepoch'),
    'tasks', json('[]')
)
FROM wall w JOIN lane l ON l.wall = w.id
UNION ALL
SELECT w.household, 'tasks', c.id, json_object(
    'id', c.id, 'columnId', c.lane, 'title', c.title, 'description', c.details, 'priority', upper(c.urgency),
    'dueDate', iif(c.due IS NULL, NULL, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', c.due / 1000.0, 'unixepoch'), '')),
    'completed', json(iif(c.state = 'done', 'true', 'false')),
    'completedAt',
    iif(c.finished IS NULL, NULL, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', c.finished / 1000.0, 'unixepoch'), '')),
    'order', c.place, 'labels', json(c.labels), 'isPrivate', json(iif(c.hidden, 'true', 'false')),
    'assigneeId', c.doer, 'creatorId', c.author,
    'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', c.made / 1000.0, 'unixepoch'),
    'updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', c.changed / 1000.0, 'unixepoch')
)
FROM wall w JOIN lane l ON l.wall = w.id JOIN chore c ON c.lane = l.id
UNION ALL
SELECT household, 'events', id, json_object(
    'id', id, 'title', title, 'description', details, 'emoji', emoji, 'color', colour,
    'startDate', strftime('%Y-%m-%dT%H:%M:%fZ', begins / 1000.0, 'unixepoch'),
    'endDate', strftime('%Y-%m-%dT%H:%M:%fZ', ends / 1000.0, 'unixepoch'),
    'allDay', json(iif(whole_day, 'true', 'false')), 'location', whereabouts, 'recurrence', repeats, 'assigneeId', who,
    'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', made / 1000.0, 'unixepoch'),
    'updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', changed / 1000.0, 'unixepoch')
)
FROM happening
UNION ALL
SELECT household, 'lists', id, json_object(
    'id', id, 'name', title, 'emoji', emoji, 'sortOrder', place,
    'isPrivate', json(iif(hidden, 'true', 'false')), 'ownerUserId', owner,
    'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', made / 1000.0, 'unixepoch'),
    'updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', changed / 1000.0, 'unixepoch'),
    'items', json('[]')
)
FROM basket
UNION ALL
SELECT b.household, 'items', w.id, json_object(
    'id', w.id, 'listId', w.basket, 'name', w.title, 'quantity', w.amount, 'category', w.shelf,
    'checked', json(iif(w.bought, 'true', 'false')), 'isPrivate', json(iif(w.hidden, 'true', 'false')),
    'addedById', w.author, 'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', w.made / 1000.0, 'unixepoch')
)
FROM basket b JOIN want w ON w.basket = b.id
UNION ALL
SELECT household, 'categories', id, json_object(
    'id', id, 'name', title, 'emoji', emoji, 'color', colour, 'parentId', parent
)
FROM folder
UNION ALL
SELECT household, 'notes', id, json_object(
    'id', id, 'title', title, 'content', body, 'emoji', emoji, 'color', colour,
    'pinned', json(iif(pinned, 'true', 'false')), 'tags', json(tags), 'authorId', author, 'categoryId', folder,
    'createdAt', strftime('%Y-%m-%dT%H:%M:%fZ', made / 1000.0, 'unixepoch'),
    'updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', changed / 1000.0, 'unixepoch')
)
FROM memo;

-- The triggers store changes from the API: updates of tasks and notes, deletions of notes, and new keys.
CREATE TRIGGER refuse_update INSTEAD OF UPDATE ON family_record WHEN OLD.kind NOT IN ('tasks', 'notes') BEGIN
    SELECT RAISE(ABORT, 'the API does not change records of this kind');
END;

CREATE TRIGGER write_task INSTEAD OF UPDATE ON family_record WHEN OLD.kind = 'tasks' BEGIN
    SELECT RAISE(ABORT, 'this household has no lane with this id') WHERE NOT EXISTS (
        SELECT 1 FROM wall w JOIN lane l ON l.wall = w.id
        WHERE w.household = OLD.household AND l.id = NEW.record ->> 'columnId'
    );
    -- If another chore of the lane has the new place, that chore and all later chores move by one, up to the highest
    -- integer that a JSON number holds exactly.
    UPDATE chore SET place = min(place + 1, 9007199254740991)
    WHERE NEW.record ->> 'makesRoom' AND id <> OLD.id
        AND lane = NEW.record ->> 'columnId' AND place >= NEW.record ->> 'order'
        AND EXISTS (
            SELECT 1 FROM chore o
            WHERE o.id <> OLD.id AND o.lane = NEW.record ->> 'columnId' AND o.place = NEW.record ->> 'order'
        );
    UPDATE chore SET
        lane = NEW.record ->> 'columnId', place = NEW.record ->> 'order', title = NEW.record ->> 'title',
        details = NEW.record ->> 'description', urgency = lower(NEW.record ->> 'priority'),
        due = iif(NEW.record ->> 'dueDate' IS NULL, NULL, coalesce(
            CAST(round(unixepoch(NEW.record ->> 'dueDate', 'subsec') * 1000) AS INTEGER), ''
        )),
        state = iif(NEW.record ->> 'completed', 'done', 'open'),
        finished = iif(NEW.record ->> 'completedAt' IS NULL, NULL, coalesce(
            CAST(round(unixepoch(NEW.record ->> 'completedAt', 'subsec') * 1000) AS INTEGER), ''
        )),
        labels = NEW.record -> 'labels', hidden = NEW.record ->> 'isPrivate', doer = NEW.record ->> 'assigneeId',
        changed = CAST(round(unixepoch(NEW.record ->> 'updatedAt', 'subsec') * 1000) AS INTEGER)
    WHERE id = OLD.id
        AND lane IN (SELECT l.id FROM wall w JOIN lane l ON l.wall = w.id WHERE w.household = OLD.household);
END;

CREATE TRIGGER insert_key INSTEAD OF INSERT ON key_record BEGIN
    INSERT INTO api_key (digest, person, id, label, hint, scopes, made, until)
    VALUES (
        NEW.digest, NEW.person, NEW.record ->> 'id', NEW.record ->> 'name', NEW.record ->> 'hint',
        NEW.record -> 'scopes', CAST(round(unixepoch(NEW.record ->> 'createdAt', 'subsec') * 1000) AS INTEGER),
        iif(NEW.record ->> 'expiresAt' IS NULL, NULL, coalesce(
            CAST(round(unixepoch(NEW.record ->> 'expiresAt', 'subsec') * 1000) AS INTEGER), ''
        ))
    );
END;

CREATE TRIGGER write_note INSTEAD OF UPDATE ON family_record
WHEN OLD.kind = 'notes' AND NEW.record <> 'null' BEGIN
    SELECT RAISE(ABORT, 'this household has no folder with this id') WHERE NEW.record ->> 'categoryId' IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM folder WHERE household = OLD.household AND id = NEW.record ->> 'categoryId');
    UPDATE memo SET
        folder = NEW.record ->> 'categoryId', title = NEW.record ->> 'title', body = NEW.record ->> 'content',
        emoji = NEW.record ->> 'emoji', colour = NEW.record ->> 'color', pinned = NEW.record ->> 'pinned',
        tags = NEW.record -> 'tags',
        changed = CAST(round(unixepoch(NEW.record ->> 'updatedAt', 'subsec') * 1000) AS INTEGER)
    WHERE household = OLD.household AND id = OLD.id;
END;

CREATE TRIGGER delete_note INSTEAD OF UPDATE ON family_record
WHEN OLD.kind = 'notes' AND NEW.record = 'null' BEGIN
    DELETE FROM memo WHERE household = OLD.household AND id = OLD.id;
END;

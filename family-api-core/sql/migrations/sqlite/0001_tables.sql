-- The tables of families, their users, the users' credentials, and the families' records.
--
-- The table of a record has the family first in its primary key, its foreign keys and its indexes, except the indexes
-- for the purge and for the removal of a user. So families can be distributed over databases. Unique beyond a family is
-- only what is found without one: ids of families, users, keys, grants and feeds, e-mail addresses, and digests of
-- secrets.
--
-- Instants are text in the format of the API, which sorts by time. The columns with the id of a person have no foreign
-- key: a record stays when the person leaves.

-- The number `revision` changes with every change that a member could see (see the triggers below).
--
-- The bounds are upper bounds of the numbers of tasks, notes, events and shopping items. A record counts once, and once
-- more for each full KiB of its text as JSON. NULL: unknown, for example after an import. Triggers count inserted and
-- deleted records, and the service adds the KiB of text. It counts the records themselves if a bound is NULL, or has
-- reached the limit a while after the last count (`records_counted_at`): a host may have changed records without the
-- bound.
CREATE TABLE families (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    tasks_bound INTEGER,
    notes_bound INTEGER,
    events_bound INTEGER,
    shopping_items_bound INTEGER,
    records_counted_at TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at))
) STRICT, WITHOUT ROWID;

-- An e-mail address is in lower case (the letters A to Z).
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    family_id TEXT REFERENCES families (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    image TEXT,
    color TEXT,
    emoji TEXT,
    display_currency TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    personal_api_enabled INTEGER NOT NULL CHECK (personal_api_enabled IN (0, 1)),
    llm_model TEXT,
    llm_key_configured INTEGER NOT NULL CHECK (llm_key_configured IN (0, 1)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at))
) STRICT, WITHOUT ROWID;

CREATE INDEX users_of_family ON users (family_id, id);

-- Hashes of passwords in PHC string format.
CREATE TABLE passwords (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    phc TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions, by the SHA-256 of their secret.
CREATE TABLE sessions (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    expires_at TEXT NOT NULL CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at))
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_of_user ON sessions (user_id, expires_at);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Integration keys, by the SHA-256 of their plaintext. Users can be in another database, so a trigger replaces the
-- foreign key.
CREATE TABLE integration_keys (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    name TEXT,
    hint TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes) AND json_type(scopes) = 'array'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    expires_at TEXT CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
    revoked_at TEXT CHECK (revoked_at IS strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at)),
    last_used_at TEXT CHECK (last_used_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX integration_keys_by_id ON integration_keys (id);

-- Ended keys (revoked or expired) stay for an audit until they are purged. These indexes order the keys by the instant
-- at which they ended or will end, so that no statement reads the ended keys to reach the active ones. 'never' sorts
-- after every instant.
CREATE INDEX integration_keys_of_user ON integration_keys (user_id, coalesce(revoked_at, expires_at, 'never'));

CREATE INDEX integration_keys_by_end ON integration_keys (coalesce(revoked_at, expires_at, 'never'));

-- The connections of users to OAuth clients. A row contains the digests of the secrets of its grant, so each step of
-- the protocol is one statement. Users can be in another database, as for keys.
CREATE TABLE grants (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_name TEXT,
    client_host TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    surface TEXT NOT NULL CHECK (surface IN ('v1', 'read_path')),
    scopes TEXT NOT NULL CHECK (json_valid(scopes) AND json_type(scopes) = 'array'),
    challenge BLOB NOT NULL CHECK (length(challenge) = 32),
    code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
    refresh_lineage BLOB UNIQUE CHECK (length(refresh_lineage) = 32),
    refresh_token BLOB CHECK (length(refresh_token) = 32),
    access_token BLOB UNIQUE CHECK (length(access_token) = 32),
    access_scopes TEXT CHECK (json_valid(access_scopes) AND json_type(access_scopes) = 'array'),
    access_expires_at TEXT CHECK (access_expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', access_expires_at)),
    -- The last rotation. The nonce and the predecessor in plain text give the current tokens again.
    predecessor BLOB CHECK (length(predecessor) = 32),
    rotation_nonce BLOB CHECK (length(rotation_nonce) = 32),
    rotated_at TEXT CHECK (rotated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', rotated_at)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    expires_at TEXT NOT NULL CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
    revoked_at TEXT CHECK (revoked_at IS strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at)),
    last_used_at TEXT CHECK (last_used_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at)),
    -- Why the service has ended the grant, if one of its secrets was misused.
    misuse TEXT CHECK (misuse IN ('code_reused', 'code_misused', 'refresh_token_reused'))
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_of_user ON grants (user_id, coalesce(revoked_at, expires_at));

CREATE INDEX grants_by_end ON grants (coalesce(revoked_at, expires_at));

-- Calendar feeds, by the SHA-256 of their secret. Users can be in another database, as for keys. `sequence` counts the
-- changes of the settings and of the owner's time zone. `left_out` is the number of records that did not fit.
CREATE TABLE calendar_feeds (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    hint TEXT NOT NULL,
    shows TEXT NOT NULL CHECK (shows IN ('events', 'tasks', 'both')),
    detail TEXT NOT NULL CHECK (detail IN ('full', 'busy')),
    person_ids TEXT CHECK (json_valid(person_ids) AND json_type(person_ids) = 'array'),
    board_ids TEXT CHECK (json_valid(board_ids) AND json_type(board_ids) = 'array'),
    language TEXT NOT NULL CHECK (language IN ('en', 'uk', 'es', 'de')),
    sequence INTEGER NOT NULL DEFAULT 0 CHECK (sequence BETWEEN 0 AND 2147483647),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    expires_at TEXT CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
    last_used_at TEXT CHECK (last_used_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at)),
    left_out INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX calendar_feeds_by_id ON calendar_feeds (id);

CREATE INDEX calendar_feeds_of_user ON calendar_feeds (user_id);

CREATE INDEX calendar_feeds_by_expiry ON calendar_feeds (expires_at);

-- A random text that identifies the calendars of this database for ever: programs know an event by its id and this
-- text.
CREATE TABLE calendar_ids (
    name TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO calendar_ids (name, id) VALUES ('uid', lower(hex(randomblob(16))));

-- Another user can get the id of a deleted user.
CREATE TRIGGER credentials_of_deleted_user AFTER DELETE ON users BEGIN
    DELETE FROM integration_keys WHERE user_id = OLD.id;
    DELETE FROM grants WHERE user_id = OLD.id;
    DELETE FROM calendar_feeds WHERE user_id = OLD.id;
END;

CREATE TRIGGER calendar_feeds_in_another_zone AFTER UPDATE OF time_zone ON users
WHEN NEW.time_zone <> OLD.time_zone BEGIN
    UPDATE calendar_feeds SET sequence = min(sequence + 1, 2147483647) WHERE user_id = NEW.id;
END;

-- The key with which all nodes sign what they accept back from clients.
CREATE TABLE signing_keys (
    name TEXT NOT NULL PRIMARY KEY,
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT, WITHOUT ROWID;

CREATE TABLE note_categories (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    emoji TEXT,
    color TEXT,
    parent_id TEXT CHECK (parent_id <> id),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, parent_id) REFERENCES note_categories (family_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    emoji TEXT,
    color TEXT,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    tags TEXT NOT NULL CHECK (json_valid(tags) AND json_type(tags) = 'array'),
    author_id TEXT,
    category_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, category_id) REFERENCES note_categories (family_id, id)
) STRICT;

CREATE TABLE boards (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    emoji TEXT,
    color TEXT,
    "order" INTEGER NOT NULL,
    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
    owner_user_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    PRIMARY KEY (family_id, id)
) STRICT;

CREATE TABLE columns (
    family_id TEXT NOT NULL,
    id TEXT NOT NULL,
    board_id TEXT NOT NULL,
    name TEXT NOT NULL,
    emoji TEXT,
    color TEXT,
    "order" INTEGER NOT NULL,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, board_id) REFERENCES boards (family_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX columns_of_board ON columns (family_id, board_id);

-- A task is completed if it has `completed_at`.
CREATE TABLE tasks (
    family_id TEXT NOT NULL,
    id TEXT NOT NULL,
    column_id TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    priority TEXT NOT NULL CHECK (priority IN ('LOW', 'MEDIUM', 'HIGH', 'URGENT')),
    due_date TEXT CHECK (due_date IS strftime('%Y-%m-%dT%H:%M:%fZ', due_date)),
    recurrence TEXT,
    completed_at TEXT CHECK (completed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', completed_at)),
    last_completed_at TEXT CHECK (last_completed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_completed_at)),
    "order" INTEGER NOT NULL,
    labels TEXT NOT NULL CHECK (json_valid(labels) AND json_type(labels) = 'array'),
    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
    assignee_id TEXT,
    creator_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    sequence INTEGER NOT NULL DEFAULT 0 CHECK (sequence BETWEEN 0 AND 2147483647),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, column_id) REFERENCES columns (family_id, id) ON DELETE CASCADE
) STRICT;

-- Ends with `completed_at`, so that a read of the open or the completed tasks skips the others without reading their
-- rows.
CREATE INDEX tasks_of_column ON tasks (family_id, column_id, "order", id, completed_at);

CREATE INDEX tasks_of_member ON tasks (family_id, assignee_id, creator_id);

CREATE TABLE events (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    emoji TEXT,
    color TEXT,
    start_date TEXT NOT NULL CHECK (start_date IS strftime('%Y-%m-%dT%H:%M:%fZ', start_date)),
    end_date TEXT NOT NULL CHECK (end_date IS strftime('%Y-%m-%dT%H:%M:%fZ', end_date)),
    all_day INTEGER NOT NULL CHECK (all_day IN (0, 1)),
    time_zone TEXT,
    location TEXT,
    recurrence TEXT,
    overrides TEXT CHECK (json_valid(overrides) AND json_type(overrides) = 'array'),
    assignee_id TEXT,
    participant_ids TEXT CHECK (json_valid(participant_ids) AND json_type(participant_ids) = 'array'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    sequence INTEGER NOT NULL DEFAULT 0 CHECK (sequence BETWEEN 0 AND 2147483647),
    PRIMARY KEY (family_id, id)
) STRICT;

CREATE INDEX events_by_start ON events (family_id, start_date, id);

-- For the events that overlap a range: all events that recur are read, and the others are found by their end.
CREATE INDEX events_by_end ON events (family_id, end_date) WHERE recurrence IS NULL;

CREATE INDEX recurring_events ON events (family_id, start_date, id) WHERE recurrence IS NOT NULL;

-- Only during an import: the events whose lines name no zone, which get one at the end.
CREATE INDEX events_without_zone ON events (family_id) WHERE time_zone IS NULL;

CREATE TABLE shopping_lists (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    emoji TEXT,
    sort_order INTEGER NOT NULL,
    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
    owner_user_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE shopping_items (
    family_id TEXT NOT NULL,
    id TEXT NOT NULL,
    list_id TEXT NOT NULL,
    name TEXT NOT NULL,
    quantity TEXT,
    category TEXT,
    checked INTEGER NOT NULL CHECK (checked IN (0, 1)),
    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
    added_by_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, list_id) REFERENCES shopping_lists (family_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX shopping_items_of_list ON shopping_items (family_id, list_id);

-- The private records of a user in all families. The removal of a user finds them while it holds the write lock.
CREATE INDEX private_boards ON boards (owner_user_id, family_id) WHERE is_private;

CREATE INDEX private_tasks ON tasks (creator_id, family_id) WHERE is_private;

CREATE INDEX private_shopping_lists ON shopping_lists (owner_user_id, family_id) WHERE is_private;

CREATE INDEX private_shopping_items ON shopping_items (added_by_id, family_id) WHERE is_private;

-- Deleted records, which can be restored. No read shows them, and no other record gets their id.
--
-- `owner_user_id` is the only user who sees the record: the creator of a private task, or the user who added a private
-- item. These records are deleted with the user, because another user can get the id.
CREATE TABLE deleted_records (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record)),
    deleted_at TEXT NOT NULL CHECK (deleted_at IS strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),
    owner_user_id TEXT GENERATED ALWAYS AS (
        CASE WHEN record ->> 'isPrivate' THEN coalesce(record ->> 'creatorId', record ->> 'addedById') END
    ) VIRTUAL,
    PRIMARY KEY (family_id, kind, id)
) STRICT;

CREATE INDEX deleted_records_of_kind ON deleted_records (family_id, kind, deleted_at, id);

CREATE INDEX deleted_records_by_age ON deleted_records (deleted_at);

CREATE INDEX deleted_records_of_owner ON deleted_records (owner_user_id, family_id) WHERE owner_user_id IS NOT NULL;

-- The records that requests with an idempotency key have created. A repeated request gets the same record.
--
-- No index orders the keys of a user by age: the surplus of a user is searched once in a thousand creations and sorts
-- some thousand keys, and the index would write one more page with every creation.
CREATE TABLE idempotency_keys (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request BLOB NOT NULL CHECK (length(request) = 32),
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    PRIMARY KEY (family_id, user_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The log of changes. `since` is the revision of the family before the transaction, `revision` the one after it. A change
-- by something else leaves a gap between the rows. `seen_before` and `seen_after`: who saw the record before the change
-- and sees it after it. `*`: every member, an empty text: no one, otherwise `=` and the id of the only user. NULL: the
-- record was not stored.
CREATE TABLE changes (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    since INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    seen_before TEXT,
    seen_after TEXT,
    changed_at TEXT NOT NULL CHECK (changed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', changed_at)),
    PRIMARY KEY (family_id, revision, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX changes_by_age ON changes (changed_at);

-- The triggers give a family another revision after every change that a member could see. So a change with SQL counts
-- like a change through the API. A record that moves to another family counts for both. For tasks, notes, events and
-- shopping items, they also change the bound. A bound that would become negative is unknown.

-- A client can still have an entity tag of an earlier family with the same id, so a family begins at a random revision.
CREATE TRIGGER families_inserted AFTER INSERT ON families BEGIN
    UPDATE families SET revision = random() & 4503599627370495 WHERE id = NEW.id;
END;

-- Members see some columns of a user, and the user's time zone decides when the user's days begin.
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER users_updated AFTER UPDATE OF id, family_id, name, image, color, emoji, time_zone ON users BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

-- A row that REPLACE removes does not fire the trigger of a deletion.
CREATE TRIGGER users_replaced BEFORE INSERT ON users BEGIN
    UPDATE families SET revision = revision + 1
    WHERE id IN (SELECT family_id FROM users WHERE id = NEW.id OR email = NEW.email);
END;

CREATE TRIGGER note_categories_inserted AFTER INSERT ON note_categories BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER note_categories_updated AFTER UPDATE ON note_categories BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER note_categories_deleted AFTER DELETE ON note_categories BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER notes_inserted AFTER INSERT ON notes BEGIN
    UPDATE families SET revision = revision + 1, notes_bound = notes_bound + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER notes_updated AFTER UPDATE ON notes BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER notes_deleted AFTER DELETE ON notes BEGIN
    UPDATE families SET revision = revision + 1, notes_bound = CASE WHEN notes_bound > 0 THEN notes_bound - 1 END
    WHERE id = OLD.family_id;
END;

CREATE TRIGGER boards_inserted AFTER INSERT ON boards BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER boards_updated AFTER UPDATE ON boards BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER boards_deleted AFTER DELETE ON boards BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER columns_inserted AFTER INSERT ON columns BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER columns_updated AFTER UPDATE ON columns BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER columns_deleted AFTER DELETE ON columns BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER tasks_inserted AFTER INSERT ON tasks BEGIN
    UPDATE families SET revision = revision + 1, tasks_bound = tasks_bound + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER tasks_updated AFTER UPDATE ON tasks BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER tasks_deleted AFTER DELETE ON tasks BEGIN
    UPDATE families SET revision = revision + 1, tasks_bound = CASE WHEN tasks_bound > 0 THEN tasks_bound - 1 END
    WHERE id = OLD.family_id;
END;

CREATE TRIGGER events_inserted AFTER INSERT ON events BEGIN
    UPDATE families SET revision = revision + 1, events_bound = events_bound + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER events_updated AFTER UPDATE ON events BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
    UPDATE families SET revision = revision + 1, events_bound = CASE WHEN events_bound > 0 THEN events_bound - 1 END
    WHERE id = OLD.family_id;
END;

CREATE TRIGGER shopping_lists_inserted AFTER INSERT ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = NEW.family_id;
END;

CREATE TRIGGER shopping_lists_updated AFTER UPDATE ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER shopping_lists_deleted AFTER DELETE ON shopping_lists BEGIN
    UPDATE families SET revision = revision + 1 WHERE id = OLD.family_id;
END;

CREATE TRIGGER shopping_items_inserted AFTER INSERT ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1, shopping_items_bound = shopping_items_bound + 1
    WHERE id = NEW.family_id;
END;

CREATE TRIGGER shopping_items_updated AFTER UPDATE ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1 WHERE id IN (OLD.family_id, NEW.family_id);
END;

CREATE TRIGGER shopping_items_deleted AFTER DELETE ON shopping_items BEGIN
    UPDATE families SET revision = revision + 1,
        shopping_items_bound = CASE WHEN shopping_items_bound > 0 THEN shopping_items_bound - 1 END
    WHERE id = OLD.family_id;
END;

-- A change of a task or an event with SQL also adds 1 to its `sequence`, unless the statement raises it, as the service
-- does. A shift of tasks changes only their `order` and is no change of theirs. Neither is the first zone of an event,
-- which an import sets at its end.
CREATE TRIGGER tasks_sequence AFTER UPDATE OF
    column_id, title, description, priority, due_date, recurrence, completed_at, last_completed_at, labels,
    is_private, assignee_id, creator_id, created_at, updated_at
ON tasks WHEN NEW.sequence <= OLD.sequence AND (
    OLD.column_id, OLD.title, OLD.description, OLD.priority, OLD.due_date, OLD.recurrence, OLD.completed_at,
    OLD.last_completed_at, OLD.labels, OLD.is_private, OLD.assignee_id, OLD.creator_id, OLD.created_at,
    OLD.updated_at
) IS NOT (
    NEW.column_id, NEW.title, NEW.description, NEW.priority, NEW.due_date, NEW.recurrence, NEW.completed_at,
    NEW.last_completed_at, NEW.labels, NEW.is_private, NEW.assignee_id, NEW.creator_id, NEW.created_at,
    NEW.updated_at
) BEGIN
    UPDATE tasks SET sequence = min(OLD.sequence + 1, 2147483647) WHERE family_id = NEW.family_id AND id = NEW.id;
END;

CREATE TRIGGER events_sequence AFTER UPDATE OF
    title, description, emoji, color, start_date, end_date, all_day, time_zone, location, recurrence, overrides,
    assignee_id, participant_ids, created_at, updated_at
ON events WHEN NEW.sequence <= OLD.sequence AND (
    OLD.title, OLD.description, OLD.emoji, OLD.color, OLD.start_date, OLD.end_date, OLD.all_day,
    coalesce(OLD.time_zone, NEW.time_zone), OLD.location, OLD.recurrence, OLD.overrides, OLD.assignee_id,
    OLD.participant_ids, OLD.created_at, OLD.updated_at
) IS NOT (
    NEW.title, NEW.description, NEW.emoji, NEW.color, NEW.start_date, NEW.end_date, NEW.all_day, NEW.time_zone,
    NEW.location, NEW.recurrence, NEW.overrides, NEW.assignee_id, NEW.participant_ids, NEW.created_at,
    NEW.updated_at
) BEGIN
    UPDATE events SET sequence = min(OLD.sequence + 1, 2147483647) WHERE family_id = NEW.family_id AND id = NEW.id;
END;

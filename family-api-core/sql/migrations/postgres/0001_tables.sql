-- The tables of families, their users, the users' credentials, and the families' records.
--
-- The table of a record has the family first in its primary key, its foreign keys and its indexes, except the indexes
-- for the purge and for the removal of a user. So families can be distributed over servers. Unique beyond a family is
-- only what is found without one: ids of families, users, keys, grants and feeds, e-mail addresses, and digests of
-- secrets. No sequence counts across families.
--
-- Ids, and text that is sorted, compare by code point, whatever the collation of the database is. Instants have
-- milliseconds. The columns with the id of a person have no foreign key: a record stays when the person leaves.

-- The number `revision` changes with every change that a member could see. A write adds 1 to it first, so the writers
-- of a family wait for each other. A client can still have an entity tag of an earlier family with the same id, so a
-- family begins at a random revision.
--
-- The bounds are upper bounds of the numbers of tasks, notes, events and shopping items. A record counts once, and once
-- more for each full KiB of its text as JSON. NULL: unknown, for example after an import. Each write of the service
-- changes the bound. It counts the records themselves if a bound is NULL, or has reached the limit a while after the
-- last count (`records_counted_at`): a host may have changed records without the bound.
CREATE TABLE families (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    revision BIGINT NOT NULL DEFAULT (random() * 4503599627370495)::BIGINT,
    tasks_bound BIGINT,
    notes_bound BIGINT,
    events_bound BIGINT,
    shopping_items_bound BIGINT,
    records_counted_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL
);

-- A user whose family does not exist has no family. An e-mail address is in lower case (the letters A to Z).
CREATE TABLE users (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    family_id TEXT COLLATE "C",
    name TEXT NOT NULL,
    email TEXT COLLATE "C" NOT NULL UNIQUE,
    image TEXT,
    color TEXT,
    emoji TEXT,
    display_currency TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    personal_api_enabled BOOLEAN NOT NULL,
    llm_model TEXT,
    llm_key_configured BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL
);

CREATE INDEX users_of_family ON users (family_id, id);

-- Hashes of passwords in PHC string format.
CREATE TABLE passwords (
    user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    phc TEXT NOT NULL
);

-- Sessions, by the SHA-256 of their secret.
CREATE TABLE sessions (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL
);

CREATE INDEX sessions_of_user ON sessions (user_id, expires_at);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Integration keys, by the SHA-256 of their plaintext. Users can be in another database, so a trigger replaces the
-- foreign key.
CREATE TABLE integration_keys (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    name TEXT,
    hint TEXT NOT NULL,
    scopes TEXT[] NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3),
    revoked_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3)
);

CREATE UNIQUE INDEX integration_keys_by_id ON integration_keys (id);

-- Ended keys (revoked or expired) stay for an audit until they are purged. These indexes order the keys by the instant
-- at which they ended or will end, so that no statement reads the ended keys to reach the active ones.
CREATE INDEX integration_keys_of_user ON integration_keys (user_id, coalesce(revoked_at, expires_at, 'infinity'));

CREATE INDEX integration_keys_by_end ON integration_keys (coalesce(revoked_at, expires_at, 'infinity'));

-- The connections of users to OAuth clients. A row contains the digests of the secrets of its grant, so each step of
-- the protocol is one statement. Users can be in another database, as for keys.
CREATE TABLE grants (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    user_id TEXT COLLATE "C" NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    client_name TEXT,
    client_host TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    surface TEXT NOT NULL CHECK (surface IN ('v1', 'read_path')),
    scopes TEXT[] NOT NULL,
    challenge BYTEA NOT NULL CHECK (length(challenge) = 32),
    code BYTEA NOT NULL UNIQUE CHECK (length(code) = 32),
    refresh_lineage BYTEA UNIQUE CHECK (length(refresh_lineage) = 32),
    refresh_token BYTEA CHECK (length(refresh_token) = 32),
    access_token BYTEA UNIQUE CHECK (length(access_token) = 32),
    access_scopes TEXT[],
    access_expires_at TIMESTAMPTZ(3),
    -- The last rotation. The nonce and the predecessor in plain text give the current tokens again.
    predecessor BYTEA CHECK (length(predecessor) = 32),
    rotation_nonce BYTEA CHECK (length(rotation_nonce) = 32),
    rotated_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    revoked_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),
    -- Why the service has ended the grant, if one of its secrets was misused.
    misuse TEXT CHECK (misuse IN ('code_reused', 'code_misused', 'refresh_token_reused'))
);

CREATE INDEX grants_of_user ON grants (user_id, coalesce(revoked_at, expires_at));

CREATE INDEX grants_by_end ON grants (coalesce(revoked_at, expires_at));

-- Calendar feeds, by the SHA-256 of their secret. Users can be in another database, as for keys. `sequence` counts the
-- changes of the settings and of the owner's time zone. `left_out` is the number of records that did not fit.
CREATE TABLE calendar_feeds (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    hint TEXT NOT NULL,
    shows TEXT NOT NULL CHECK (shows IN ('events', 'tasks', 'both')),
    detail TEXT NOT NULL CHECK (detail IN ('full', 'busy')),
    person_ids TEXT,
    board_ids TEXT,
    language TEXT NOT NULL CHECK (language IN ('en', 'uk', 'es', 'de')),
    sequence BIGINT NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),
    left_out BIGINT NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX calendar_feeds_by_id ON calendar_feeds (id);

CREATE INDEX calendar_feeds_of_user ON calendar_feeds (user_id);

CREATE INDEX calendar_feeds_by_expiry ON calendar_feeds (expires_at);

-- A random text that identifies the calendars of this database for ever: programs know an event by its id and this
-- text.
CREATE TABLE calendar_ids (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL
);

INSERT INTO calendar_ids (name, id) VALUES ('uid', gen_random_uuid()::text);

-- Another user can get the id of a deleted user. The function uses the `search_path` of this migration to find the
-- tables.
CREATE FUNCTION family_api_delete_credentials() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM integration_keys WHERE user_id = OLD.id;
    DELETE FROM grants WHERE user_id = OLD.id;
    DELETE FROM calendar_feeds WHERE user_id = OLD.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER credentials_of_deleted_user AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION family_api_delete_credentials();

CREATE FUNCTION family_api_change_feeds() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE calendar_feeds SET sequence = least(sequence + 1, 2147483647) WHERE user_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER calendar_feeds_in_another_zone AFTER UPDATE OF time_zone ON users
    FOR EACH ROW WHEN (NEW.time_zone <> OLD.time_zone) EXECUTE FUNCTION family_api_change_feeds();

-- The key with which all nodes sign what they accept back from clients.
CREATE TABLE signing_keys (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    key BYTEA NOT NULL CHECK (length(key) = 32)
);

CREATE TABLE note_categories (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    emoji TEXT,
    color TEXT,
    parent_id TEXT COLLATE "C",
    PRIMARY KEY (family_id, id),
    CONSTRAINT note_categories_parent FOREIGN KEY (family_id, parent_id) REFERENCES note_categories (family_id, id),
    CONSTRAINT note_categories_parent_is_another CHECK (parent_id <> id)
);

CREATE TABLE notes (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    emoji TEXT,
    color TEXT,
    pinned BOOLEAN NOT NULL,
    tags TEXT[] NOT NULL,
    author_id TEXT COLLATE "C",
    category_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, id),
    CONSTRAINT notes_category FOREIGN KEY (family_id, category_id) REFERENCES note_categories (family_id, id)
);

CREATE TABLE boards (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    emoji TEXT,
    color TEXT,
    "order" BIGINT NOT NULL,
    is_private BOOLEAN NOT NULL,
    owner_user_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, id)
);

CREATE TABLE columns (
    family_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    board_id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    emoji TEXT,
    color TEXT,
    "order" BIGINT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, board_id) REFERENCES boards (family_id, id) ON DELETE CASCADE
);

CREATE INDEX columns_of_board ON columns (family_id, board_id);

-- A task is completed if it has `completed_at`.
CREATE TABLE tasks (
    family_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    column_id TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    priority TEXT NOT NULL CHECK (priority IN ('LOW', 'MEDIUM', 'HIGH', 'URGENT')),
    due_date TIMESTAMPTZ(3),
    recurrence TEXT,
    completed_at TIMESTAMPTZ(3),
    last_completed_at TIMESTAMPTZ(3),
    "order" BIGINT NOT NULL,
    labels TEXT[] NOT NULL,
    is_private BOOLEAN NOT NULL,
    assignee_id TEXT COLLATE "C",
    creator_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    sequence BIGINT NOT NULL DEFAULT 0 CHECK (sequence BETWEEN 0 AND 2147483647),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, column_id) REFERENCES columns (family_id, id) ON DELETE CASCADE
);

CREATE INDEX tasks_of_column ON tasks (family_id, column_id, "order", id);

CREATE INDEX tasks_of_member ON tasks (family_id, assignee_id, creator_id);

CREATE TABLE events (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    emoji TEXT,
    color TEXT,
    start_date TIMESTAMPTZ(3) NOT NULL,
    end_date TIMESTAMPTZ(3) NOT NULL,
    all_day BOOLEAN NOT NULL,
    time_zone TEXT,
    location TEXT,
    recurrence TEXT,
    overrides TEXT,
    assignee_id TEXT COLLATE "C",
    participant_ids TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    sequence BIGINT NOT NULL DEFAULT 0 CHECK (sequence BETWEEN 0 AND 2147483647),
    PRIMARY KEY (family_id, id)
);

CREATE INDEX events_by_start ON events (family_id, start_date, id);

-- For the events that overlap a range: all events that recur are read, and the others are found by their end.
CREATE INDEX events_by_end ON events (family_id, end_date) WHERE recurrence IS NULL;

CREATE INDEX recurring_events ON events (family_id, start_date, id) WHERE recurrence IS NOT NULL;

-- Only during an import: the events whose lines name no zone, which get one at the end.
CREATE INDEX events_without_zone ON events (family_id) WHERE time_zone IS NULL;

CREATE TABLE shopping_lists (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    emoji TEXT,
    sort_order BIGINT NOT NULL,
    is_private BOOLEAN NOT NULL,
    owner_user_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, id)
);

CREATE TABLE shopping_items (
    family_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    list_id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    quantity TEXT,
    category TEXT,
    checked BOOLEAN NOT NULL,
    is_private BOOLEAN NOT NULL,
    added_by_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, list_id) REFERENCES shopping_lists (family_id, id) ON DELETE CASCADE
);

CREATE INDEX shopping_items_of_list ON shopping_items (family_id, list_id);

-- Deleted records, which can be restored. No read shows them, and no other record gets their id.
--
-- `owner_user_id` is the only user who sees the record: the creator of a private task, or the user who added a private
-- item. These records are deleted with the user, because another user can get the id.
CREATE TABLE deleted_records (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    record TEXT NOT NULL,
    deleted_at TIMESTAMPTZ(3) NOT NULL,
    owner_user_id TEXT COLLATE "C" GENERATED ALWAYS AS (
        CASE WHEN record::json ->> 'isPrivate' = 'true'
            THEN coalesce(record::json ->> 'creatorId', record::json ->> 'addedById')
        END
    ) STORED,
    PRIMARY KEY (family_id, kind, id)
);

CREATE INDEX deleted_records_of_kind ON deleted_records (family_id, kind, deleted_at, id);

CREATE INDEX deleted_records_by_age ON deleted_records (deleted_at);

CREATE INDEX deleted_records_of_owner ON deleted_records (owner_user_id, family_id) WHERE owner_user_id IS NOT NULL;

-- The records that requests with an idempotency key have created. A repeated request gets the same record.
--
-- No index orders the keys of a user by age: the surplus of a user is searched once in a thousand creations and sorts
-- some thousand keys.
CREATE TABLE idempotency_keys (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    user_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    request BYTEA NOT NULL CHECK (length(request) = 32),
    kind TEXT COLLATE "C" NOT NULL,
    record_id TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, user_id, key)
);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The log of changes. `since` is the revision of the family before the transaction, `revision` the one after it. A change
-- by something else leaves a gap between the rows. `seen_before` and `seen_after`: who saw the record before the change
-- and sees it after it. `*`: every member, an empty text: no one, otherwise `=` and the id of the only user. NULL: the
-- record was not stored.
CREATE TABLE changes (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    revision BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    since BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    seen_before TEXT COLLATE "C",
    seen_after TEXT COLLATE "C",
    changed_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, revision, ordinal)
);

CREATE INDEX changes_by_age ON changes (changed_at);

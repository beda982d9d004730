-- Families, their members, and what they keep.
--
-- Every family record leads with its family: in its primary key, in its indexes and in its references, so that families
-- can be spread over databases. What is unique beyond one family is only what is asked for without one: the id of a
-- family and of a user, an e-mail address, and the digests of keys and sessions.
--
-- Instants are text as it goes over the wire, which sorts as they do. A column that names a person refers to nobody: it
-- may name somebody who is gone.

-- The revision counts the changes that a member could see.
CREATE TABLE families (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at))
) STRICT, WITHOUT ROWID;

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

-- Hashes of passwords, as PHC strings.
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

-- Integration keys, by the SHA-256 of their plaintext.
CREATE TABLE integration_keys (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT,
    hint TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes) AND json_type(scopes) = 'array'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    expires_at TEXT CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
    revoked_at TEXT CHECK (revoked_at IS strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at)),
    last_used_at TEXT CHECK (last_used_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at))
) STRICT, WITHOUT ROWID;

CREATE INDEX integration_keys_of_user ON integration_keys (user_id, created_at, id);

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

-- A task is done where it says since when.
CREATE TABLE tasks (
    family_id TEXT NOT NULL,
    id TEXT NOT NULL,
    column_id TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    priority TEXT NOT NULL CHECK (priority IN ('LOW', 'MEDIUM', 'HIGH', 'URGENT')),
    due_date TEXT CHECK (due_date IS strftime('%Y-%m-%dT%H:%M:%fZ', due_date)),
    completed_at TEXT CHECK (completed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', completed_at)),
    "order" INTEGER NOT NULL,
    labels TEXT NOT NULL CHECK (json_valid(labels) AND json_type(labels) = 'array'),
    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
    assignee_id TEXT,
    creator_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, column_id) REFERENCES columns (family_id, id) ON DELETE CASCADE
) STRICT;

-- Ends with what tells an open task from a done one, so that a read skips the other kind without touching its row.
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
    location TEXT,
    recurrence TEXT,
    assignee_id TEXT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
    PRIMARY KEY (family_id, id)
) STRICT;

CREATE INDEX events_by_start ON events (family_id, start_date, id);

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

-- Families, their members, and what they keep.
--
-- Every family record leads with its family: in its primary key, in its indexes and in its references, so that families
-- can be spread over machines. No constraint reaches beyond a family but those on a user's id and e-mail address and on
-- the digest of a key or a session; nothing counts across families.
--
-- Text that is ordered, and every id, is compared by code point, whatever the database's own collation is. Instants have
-- milliseconds. A column that names a person refers to nobody: it may name somebody who is gone.

-- The revision is another number after every change that a member could see. Who writes adds 1 to it first: that also
-- has the writers of one family wait for each other.
CREATE TABLE families (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    revision BIGINT NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL
);

-- The family may be gone: a user whose family does not exist has none.
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

-- Hashes of passwords, as PHC strings.
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

-- Integration keys, by the SHA-256 of their plaintext.
CREATE TABLE integration_keys (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT,
    hint TEXT NOT NULL,
    scopes TEXT[] NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3),
    revoked_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3)
);

CREATE INDEX integration_keys_of_user ON integration_keys (user_id, created_at, id);

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

-- A task is done where it says since when.
CREATE TABLE tasks (
    family_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    column_id TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    priority TEXT NOT NULL CHECK (priority IN ('LOW', 'MEDIUM', 'HIGH', 'URGENT')),
    due_date TIMESTAMPTZ(3),
    completed_at TIMESTAMPTZ(3),
    "order" BIGINT NOT NULL,
    labels TEXT[] NOT NULL,
    is_private BOOLEAN NOT NULL,
    assignee_id TEXT COLLATE "C",
    creator_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
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
    location TEXT,
    recurrence TEXT,
    assignee_id TEXT COLLATE "C",
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, id)
);

CREATE INDEX events_by_start ON events (family_id, start_date, id);

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

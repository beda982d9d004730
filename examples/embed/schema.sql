-- The app's own tables. They were not designed for the API: they have other names, and instants in milliseconds.

CREATE TABLE IF NOT EXISTS household (
    id      TEXT PRIMARY KEY,
    title   TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS person (
    id         TEXT PRIMARY KEY,
    household  TEXT REFERENCES household (id),
    name       TEXT NOT NULL,
    mail       TEXT NOT NULL UNIQUE,
    portrait   TEXT,
    colour     TEXT,
    emoji      TEXT,
    currency   TEXT NOT NULL,
    zone       TEXT NOT NULL,
    ai_model   TEXT,
    ai_key     TEXT,
    -- Required by the API: 1 if this person has switched on the personal API (`/api/v1`).
    api_open   INTEGER NOT NULL DEFAULT 0 CHECK (api_open IN (0, 1)),
    changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS person_household ON person (household);

-- One-time codes and sessions. `digest` is the SHA-256 of the secret.
CREATE TABLE IF NOT EXISTS ticket (
    digest  BLOB PRIMARY KEY,
    kind    TEXT NOT NULL CHECK (kind IN ('code', 'session')),
    person  TEXT NOT NULL REFERENCES person (id),
    until   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Integration keys. The test keys_in_library_storage.rs stores keys in the library's SQLite storage instead.
CREATE TABLE IF NOT EXISTS api_key (
    digest   BLOB PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    person   TEXT NOT NULL REFERENCES person (id),
    label    TEXT,
    hint     TEXT NOT NULL,
    scopes   TEXT NOT NULL CHECK (json_valid(scopes)),
    made     INTEGER NOT NULL,
    until    INTEGER,
    used     INTEGER,
    revoked  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS api_key_person ON api_key (person);

CREATE TABLE IF NOT EXISTS wall (
    id         TEXT PRIMARY KEY,
    household  TEXT NOT NULL REFERENCES household (id),
    title      TEXT NOT NULL,
    about      TEXT,
    emoji      TEXT,
    colour     TEXT,
    place      INTEGER NOT NULL,
    -- Only the owner sees a hidden wall or basket. Only the author sees a hidden chore or want.
    hidden     INTEGER NOT NULL DEFAULT 0,
    owner      TEXT,
    made       INTEGER NOT NULL,
    changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS wall_household ON wall (household);

CREATE TABLE IF NOT EXISTS lane (
    id      TEXT PRIMARY KEY,
    wall    TEXT NOT NULL REFERENCES wall (id),
    title   TEXT NOT NULL,
    emoji   TEXT,
    colour  TEXT,
    place   INTEGER NOT NULL,
    made    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS lane_wall ON lane (wall);

CREATE TABLE IF NOT EXISTS chore (
    id        TEXT PRIMARY KEY,
    lane      TEXT NOT NULL REFERENCES lane (id),
    title     TEXT NOT NULL,
    details   TEXT,
    urgency   TEXT NOT NULL CHECK (urgency IN ('low', 'medium', 'high', 'urgent')),
    due       INTEGER,
    state     TEXT NOT NULL CHECK (state IN ('open', 'done')),
    finished  INTEGER CHECK ((finished IS NULL) = (state = 'open')),
    place     INTEGER NOT NULL,
    labels    TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(labels)),
    hidden    INTEGER NOT NULL DEFAULT 0,
    doer      TEXT,
    author    TEXT,
    made      INTEGER NOT NULL,
    changed   INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS chore_lane ON chore (lane, place);

CREATE TABLE IF NOT EXISTS happening (
    id         TEXT PRIMARY KEY,
    household  TEXT NOT NULL REFERENCES household (id),
    title      TEXT NOT NULL,
    details    TEXT,
    emoji      TEXT,
    colour     TEXT,
    begins     INTEGER NOT NULL,
    ends       INTEGER NOT NULL,
    whole_day  INTEGER NOT NULL,
    whereabouts  TEXT,
    repeats    TEXT,
    who        TEXT,
    made       INTEGER NOT NULL,
    changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS happening_household ON happening (household);

CREATE TABLE IF NOT EXISTS basket (
    id         TEXT PRIMARY KEY,
    household  TEXT NOT NULL REFERENCES household (id),
    title      TEXT NOT NULL,
    emoji      TEXT,
    place      INTEGER NOT NULL,
    hidden     INTEGER NOT NULL DEFAULT 0,
    owner      TEXT,
    made       INTEGER NOT NULL,
    changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS basket_household ON basket (household);

CREATE TABLE IF NOT EXISTS want (
    id       TEXT PRIMARY KEY,
    basket   TEXT NOT NULL REFERENCES basket (id),
    title    TEXT NOT NULL,
    amount   TEXT,
    shelf    TEXT,
    bought   INTEGER NOT NULL,
    hidden   INTEGER NOT NULL DEFAULT 0,
    author   TEXT,
    made     INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS want_basket ON want (basket);

CREATE TABLE IF NOT EXISTS folder (
    id         TEXT PRIMARY KEY,
    household  TEXT NOT NULL REFERENCES household (id),
    title      TEXT NOT NULL,
    emoji      TEXT,
    colour     TEXT,
    parent     TEXT REFERENCES folder (id)
) STRICT;
CREATE INDEX IF NOT EXISTS folder_household ON folder (household);

CREATE TABLE IF NOT EXISTS memo (
    id         TEXT PRIMARY KEY,
    household  TEXT NOT NULL REFERENCES household (id),
    folder     TEXT REFERENCES folder (id),
    title      TEXT NOT NULL,
    body       TEXT NOT NULL,
    emoji      TEXT,
    colour     TEXT,
    pinned     INTEGER NOT NULL,
    tags       TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    author     TEXT,
    made       INTEGER NOT NULL,
    changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS memo_household ON memo (household);

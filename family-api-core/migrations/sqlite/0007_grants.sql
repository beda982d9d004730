-- The connections of users to OAuth clients. A row contains the digests of the secrets of its grant, so each step of the
-- protocol is one statement. Users can be in another database, so a trigger replaces the foreign key.
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
    refresh_family BLOB UNIQUE CHECK (length(refresh_family) = 32),
    refresh_token BLOB CHECK (length(refresh_token) = 32),
    access_token BLOB UNIQUE CHECK (length(access_token) = 32),
    access_scopes TEXT CHECK (json_valid(access_scopes) AND json_type(access_scopes) = 'array'),
    access_expires_at TEXT CHECK (access_expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', access_expires_at)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
    expires_at TEXT NOT NULL CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
    revoked_at TEXT CHECK (revoked_at IS strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at)),
    last_used_at TEXT CHECK (last_used_at IS strftime('%Y-%m-%dT%H:%M:%fZ', last_used_at))
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_of_user ON grants (user_id, coalesce(revoked_at, expires_at));

CREATE INDEX grants_by_end ON grants (coalesce(revoked_at, expires_at));

-- Another user can get the id of a deleted user.
CREATE TRIGGER grants_of_deleted_user AFTER DELETE ON users BEGIN
    DELETE FROM grants WHERE user_id = OLD.id;
END;

-- The key with which all nodes sign what they recognise as their own.
CREATE TABLE signing_keys (
    name TEXT NOT NULL PRIMARY KEY,
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT, WITHOUT ROWID;

-- The connections of users to OAuth clients. A row contains the digests of the secrets of its grant, so each step of the
-- protocol is one statement. Users can be in another database, so a trigger replaces the foreign key.
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
    refresh_family BYTEA UNIQUE CHECK (length(refresh_family) = 32),
    refresh_token BYTEA CHECK (length(refresh_token) = 32),
    access_token BYTEA UNIQUE CHECK (length(access_token) = 32),
    access_scopes TEXT[],
    access_expires_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    revoked_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3)
);

CREATE INDEX grants_of_user ON grants (user_id, coalesce(revoked_at, expires_at));

CREATE INDEX grants_by_end ON grants (coalesce(revoked_at, expires_at));

-- Another user can get the id of a deleted user. The function uses the `search_path` of this migration to find
-- `grants`.
CREATE FUNCTION family_api_delete_grants() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM grants WHERE user_id = OLD.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER grants_of_deleted_user AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION family_api_delete_grants();

-- The key with which all nodes sign what they recognise as their own.
CREATE TABLE signing_keys (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    key BYTEA NOT NULL CHECK (length(key) = 32)
);

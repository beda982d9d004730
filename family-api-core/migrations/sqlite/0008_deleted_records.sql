-- Deleted records, which can be restored. No read shows them, and no other record gets their id.
CREATE TABLE deleted_records (
    family_id TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record)),
    deleted_at TEXT NOT NULL CHECK (deleted_at IS strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),
    PRIMARY KEY (family_id, kind, id)
) STRICT;

CREATE INDEX deleted_records_of_kind ON deleted_records (family_id, kind, deleted_at, id);

CREATE INDEX deleted_records_by_age ON deleted_records (deleted_at);

-- The records that requests with an idempotency key have created. A repeated request gets the same record.
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

CREATE INDEX idempotency_keys_of_user ON idempotency_keys (family_id, user_id, created_at, key);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The records that requests with an idempotency key have created. A repeated request gets the same record.
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

-- Deleted records, which can be restored. No read shows them, and no other record gets their id.
CREATE TABLE deleted_records (
    family_id TEXT COLLATE "C" NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    record TEXT NOT NULL,
    deleted_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (family_id, kind, id)
);

-- The last rotation of a grant's tokens. The nonce and the predecessor in plain text give the current tokens again.
ALTER TABLE grants
    ADD COLUMN predecessor BYTEA CHECK (length(predecessor) = 32),
    ADD COLUMN rotation_nonce BYTEA CHECK (length(rotation_nonce) = 32),
    ADD COLUMN rotated_at TIMESTAMPTZ(3);

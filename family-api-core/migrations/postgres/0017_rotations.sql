-- The last rotation of a grant's tokens: the nonce and the predecessor in plain text give the current tokens again. And
-- why the service has ended the grant, if one of its secrets was misused.
ALTER TABLE grants
    ADD COLUMN predecessor BYTEA CHECK (length(predecessor) = 32),
    ADD COLUMN rotation_nonce BYTEA CHECK (length(rotation_nonce) = 32),
    ADD COLUMN rotated_at TIMESTAMPTZ(3),
    ADD COLUMN misuse TEXT CHECK (misuse IN ('code_reused', 'code_misused', 'refresh_token_reused'));

-- The last rotation of a grant's tokens. The nonce and the predecessor in plain text give the current tokens again.
ALTER TABLE grants ADD COLUMN predecessor BLOB CHECK (length(predecessor) = 32);
ALTER TABLE grants ADD COLUMN rotation_nonce BLOB CHECK (length(rotation_nonce) = 32);
ALTER TABLE grants ADD COLUMN rotated_at TEXT CHECK (rotated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', rotated_at));

-- Why the service has ended the grant, if one of its secrets was misused.
ALTER TABLE grants ADD COLUMN misuse TEXT CHECK (misuse IN ('code_reused', 'code_misused', 'refresh_token_reused'));

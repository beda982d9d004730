-- Ended keys (revoked or expired) stay for the audit until they are purged. These indexes order the keys by the instant at
-- which they ended or will end, so that no statement walks the ended keys to reach the active ones.
DROP INDEX integration_keys_of_user;

CREATE INDEX integration_keys_of_user ON integration_keys (user_id, coalesce(revoked_at, expires_at, 'infinity'));

CREATE INDEX integration_keys_by_id ON integration_keys (user_id, id);

CREATE INDEX integration_keys_by_end ON integration_keys (coalesce(revoked_at, expires_at, 'infinity'));

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

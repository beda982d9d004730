CREATE INDEX idempotency_keys_of_user ON idempotency_keys (family_id, user_id, created_at, key);

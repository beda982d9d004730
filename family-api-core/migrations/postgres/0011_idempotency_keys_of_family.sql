CREATE INDEX idempotency_keys_of_family ON idempotency_keys (family_id, created_at, user_id, key);

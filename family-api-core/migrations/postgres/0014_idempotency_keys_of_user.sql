-- The search for the surplus keys of a user comes once in a thousand creations, and sorts at most some thousand keys.
DROP INDEX idempotency_keys_of_user;

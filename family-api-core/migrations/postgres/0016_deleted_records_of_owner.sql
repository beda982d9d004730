CREATE INDEX deleted_records_of_owner ON deleted_records (owner_user_id, family_id) WHERE owner_user_id IS NOT NULL;

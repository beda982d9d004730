CREATE INDEX deleted_records_of_family ON deleted_records (family_id, deleted_at, kind, id);

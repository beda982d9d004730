CREATE INDEX deleted_records_of_kind ON deleted_records (family_id, kind, deleted_at, id);

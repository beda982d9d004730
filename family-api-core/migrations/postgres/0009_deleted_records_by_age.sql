CREATE INDEX deleted_records_by_age ON deleted_records (deleted_at);

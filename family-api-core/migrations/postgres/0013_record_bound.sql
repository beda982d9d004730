-- No kind of record of a family has more records than this number. NULL: unknown, for example after an import. Each
-- creation and restoration of the service adds 1. It counts the records only if the number is NULL or has reached the
-- limit, and then replaces it by the largest count.
ALTER TABLE families ADD COLUMN record_bound BIGINT;

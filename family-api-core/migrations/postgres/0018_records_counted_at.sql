-- When the records of all kinds were last counted. The service counts them if a bound is NULL, or has reached the limit a
-- while after the last count: a host may have changed records without the bound. Each deletion of the service lowers the
-- bound, so that a full family need not count its records when a creation is refused.
ALTER TABLE families ADD COLUMN records_counted_at TIMESTAMPTZ(3);

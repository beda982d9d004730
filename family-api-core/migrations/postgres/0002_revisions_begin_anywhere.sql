-- A family that is made anew, under an id that there was before, begins at another number: a client may still know an
-- entity tag of the old one.
ALTER TABLE families ALTER COLUMN revision SET DEFAULT (random() * 4503599627370495)::BIGINT;

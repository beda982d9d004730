-- Indexes for the events that overlap a range: events that recur are found by their start, all other events by their end.
CREATE INDEX events_by_end ON events (family_id, end_date) WHERE recurrence IS NULL;

CREATE INDEX recurring_events ON events (family_id, start_date, id) WHERE recurrence IS NOT NULL;

//! Loading calendar events.

use crate::storage::bulk::Kind;

const REGISTER_EVENT: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'event', r.value ->> 1, f.id, ($2::bigint[])[r.place], f.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN families f ON f.id = r.value ->> 0";

const INSERT_EVENT: &str = "
    INSERT INTO events
        (family_id, id, title, description, emoji, color, start_date, end_date, all_day, location, recurrence,
         assignee_id, created_at, updated_at)
    SELECT k.family_id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           (r.value ->> 6)::timestamptz, (r.value ->> 7)::timestamptz, (r.value ->> 8)::boolean, r.value ->> 9,
           r.value ->> 10, r.value ->> 11, (r.value ->> 12)::timestamptz, (r.value ->> 13)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    JOIN known_ids k ON k.kind = 'event' AND k.id = r.value ->> 1";

pub(super) const EVENT: Kind = Kind::new("event", &[REGISTER_EVENT, INSERT_EVENT], "familyId");

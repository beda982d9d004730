//! Loading calendar events.

use crate::storage::bulk::Kind;

const INSERT_EVENT: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO events
        (family_id, id, title, description, emoji, color, start_date, end_date, all_day, location, recurrence,
         assignee_id, created_at, updated_at)
    SELECT f.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
           r.value ->> 7, r.value ->> 8, r.value ->> 9, r.value ->> 10, r.value ->> 11, r.value ->> 12, r.value ->> 13
    FROM r LEFT JOIN families f ON f.id = r.value ->> 0";

pub(super) const EVENT: Kind = Kind::new("event", &[INSERT_EVENT], "familyId");

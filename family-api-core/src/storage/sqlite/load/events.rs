//! Calendar events.

use crate::storage::EventRecord;
use crate::storage::sqlite::load::statement::{Refusals, Statement};

const EVENT: &str = "
    INSERT INTO events
        (family_id, id, title, description, emoji, color, start_date, end_date, all_day, location, recurrence,
         assignee_id, created_at, updated_at)
    SELECT f.id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14 FROM families f WHERE f.id = ?1";

pub(super) fn event(event: EventRecord) -> Statement {
    let query = sqlx::query(EVENT)
        .bind(String::from(event.family_id))
        .bind(String::from(event.id))
        .bind(event.title)
        .bind(event.description)
        .bind(event.emoji)
        .bind(event.color)
        .bind(String::from(event.start_date))
        .bind(String::from(event.end_date))
        .bind(event.all_day)
        .bind(event.location)
        .bind(event.recurrence)
        .bind(event.assignee_id.map(String::from))
        .bind(String::from(event.created_at))
        .bind(String::from(event.updated_at));
    Statement { query, refused: Refusals::parent("familyId") }
}

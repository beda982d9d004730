//! The fields of bodies and the rules for changes (HTTP reference, "Writes").

mod bodies;
mod builders;
mod creations;
mod event_rules;
mod fault_bounds;
mod following_rules;
mod key_draft;
mod note_body;
mod note_rules;
mod occurrence_rules;
mod profile_body;
mod random_events;
mod record_bodies;
mod series_moves;
mod series_properties;
mod series_rules;
mod task_body;
mod task_recurrence;
mod task_rules;
mod times;

use crate::resource::Person;
use crate::timestamp::Timestamp;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns the time of the writes.
fn now() -> Timestamp {
    at("2026-11-20T12:00:00Z")
}

/// Returns a person whose id is the name.
fn person(name: &str) -> Person {
    Person { id: name.parse().unwrap(), name: name.to_owned(), image: None, color: None, emoji: None }
}

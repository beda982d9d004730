//! The fields of bodies and the rules for changes (HTTP reference, "Writes").

mod bodies;
mod builders;
mod creations;
mod event_rules;
mod fault_bounds;
mod key_draft;
mod note_body;
mod note_rules;
mod profile_body;
mod record_bodies;
mod task_body;
mod task_rules;

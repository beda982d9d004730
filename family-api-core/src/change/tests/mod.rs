//! The fields of bodies and the rules for changes (HTTP reference, "Writes").

mod bodies;
mod builders;
mod fault_bounds;
mod key_draft;
mod note_body;
mod note_rules;
mod profile_body;
mod task_body;
mod task_rules;

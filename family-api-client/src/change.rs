//! The changes that calls send. Builder methods distinguish an omitted field from a cleared field.

pub use family_api_core::change::{DueDate, FieldFault, NoteChange, ProfileChange, TaskChange, TaskMove};

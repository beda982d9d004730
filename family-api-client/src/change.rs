//! What a call may change: built by methods, so that what is left out and what is cleared cannot be confused.

pub use family_api_core::change::{DueDate, FieldFault, NoteChange, ProfileChange, TaskChange, TaskMove};

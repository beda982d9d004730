//! Parses the bodies of PATCH requests into valid updates, and applies them by their rules (HTTP reference, "Writes").
//!
//! A change, such as [`TaskChange`], is built in code, and its values can be invalid. An update, such as
//! [`TaskUpdate`], is always valid: it comes from a body, or from a change by `build`.

mod note;
mod profile;
mod task;
#[cfg(test)]
mod tests;

pub use note::{NoteChange, NoteFacts, NoteUpdate};
pub use profile::ProfileChange;
pub use task::{BoardOwner, Destination, DueDate, TaskChange, TaskFacts, TaskMove, TaskUpdate, TaskWrite};

use crate::validation::FieldFault;

/// The result of checking a change against the stored record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The change is valid. The storage writes this value.
    Write(T),
    /// The change refers to a record that does not exist or that the caller cannot see.
    NotFound,
    /// The record does not allow the change. Contains the faults.
    Refused(Vec<FieldFault>),
}

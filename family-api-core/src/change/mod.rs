//! Parses the bodies of PATCH requests into typed changes, and checks the rules of each change (HTTP reference,
//! "Writes").

mod body_reader;
mod faults;
mod field;
mod json;
mod note;
mod profile;
mod reference;
mod task;
#[cfg(test)]
mod tests;
mod text;

pub use body_reader::BodyReader;
pub use faults::{Faults, FieldErrors, FieldFault};
pub use field::Field;
pub use json::Json;
pub use note::{NoteChange, NoteFacts};
pub use profile::ProfileChange;
pub use reference::Reference;
pub use task::{BoardOwner, Destination, DueDate, TaskChange, TaskFacts, TaskMove, TaskUpdate, TaskWrite};

/// The decision on a change, made with the facts about the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The change is valid. The storage writes this value.
    Write(T),
    /// The change refers to a record that does not exist or that the caller cannot see.
    NotFound,
    /// The record does not allow the change. Contains the faults.
    Refused(Vec<FieldFault>),
}

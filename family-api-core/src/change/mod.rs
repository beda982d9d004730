//! Bodies of PATCH requests: parsed strictly into typed changes, with the rules that decide on them (HTTP reference,
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

/// What the rules say of a change, once they know the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// Store this.
    Write(T),
    /// The change names a record that is not there for the caller.
    NotFound,
    /// The record does not allow the change.
    Refused(Vec<FieldFault>),
}

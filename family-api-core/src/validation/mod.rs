//! Parses JSON bodies strictly and collects the faults (HTTP reference, "JSON"). Changes and key drafts are read with
//! it.

pub(crate) mod body_fields;
mod body_reader;
mod faults;
mod field;
mod json;
mod reference;
pub(crate) mod rules;

pub use body_reader::BodyReader;
pub use faults::{Faults, FieldErrors, FieldFault};
pub use field::Field;
pub(crate) use field::FieldSlot;
pub use json::{InvalidJson, Json};
pub use reference::Reference;
pub use rules::MAX_STORED_ORDER;

//! The changes that calls send. Builder methods distinguish an omitted field from a cleared field.

pub use family_api_types::change::{DateOrInstant, Editable, ProfileChange, TaskMove};
pub use family_api_types::validation::FieldFault;

pub use crate::api::changes::*;

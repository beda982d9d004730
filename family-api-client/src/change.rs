//! The changes that calls send. Builder methods distinguish an omitted field from a cleared field.

pub use family_api_types::change::{
    BoardChange, ColumnChange, DateOrInstant, Editable, EventChange, NoteCategoryChange, NoteChange, ProfileChange,
    ShoppingItemChange, ShoppingListChange, TaskChange, TaskMove,
};
pub use family_api_types::validation::FieldFault;

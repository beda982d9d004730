//! The tools that write.

mod add;
mod addable_record;
mod append;
mod before;
mod changed;
mod clash_report;
mod containers;
mod delete;
mod delete_events;
mod delete_shopping_items;
pub(crate) mod event_target;
pub(crate) mod fields;
mod kept_time;
mod mark;
mod open_items;
mod outcomes;
mod restore;
mod shown;
mod tool_record;
mod update;
mod update_events;

use crate::handler::ToolHandler;

/// The tools, in the order of `tools/list`.
pub(crate) static HANDLERS: &[&dyn ToolHandler] = &[
    &add::ADD_TASKS,
    &update::UPDATE_TASKS,
    &mark::COMPLETE_TASKS,
    &delete::DELETE_TASKS,
    &add::ADD_EVENTS,
    &update_events::UpdateEvents,
    &delete_events::DeleteEvents,
    &add::ADD_SHOPPING_ITEMS,
    &update::UPDATE_SHOPPING_ITEMS,
    &mark::CHECK_SHOPPING_ITEMS,
    &delete_shopping_items::DeleteShoppingItems,
    &add::ADD_NOTE,
    &update::UPDATE_NOTES,
    &delete::DELETE_NOTES,
    &containers::ADD_CONTAINERS,
    &containers::UPDATE_CONTAINER,
    &containers::DELETE_CONTAINERS,
    &restore::Restore,
];

//! The tools that write.

mod add;
mod addable_record;
mod append;
mod before;
mod changed;
mod clash_report;
mod delete;
mod delete_event;
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
mod update_event;

use crate::handler::ToolHandler;

/// The tools, in the order of `tools/list`.
pub(crate) static HANDLERS: &[&dyn ToolHandler] = &[
    &add::ADD_TASKS,
    &update::UPDATE_TASK,
    &mark::COMPLETE_TASKS,
    &delete::DELETE_TASK,
    &add::ADD_EVENTS,
    &update_event::UpdateEvent,
    &delete_event::DeleteEvent,
    &add::ADD_SHOPPING_LIST,
    &add::ADD_SHOPPING_ITEMS,
    &update::UPDATE_SHOPPING_ITEM,
    &mark::CHECK_SHOPPING_ITEMS,
    &delete_shopping_items::DeleteShoppingItems,
    &add::ADD_NOTE,
    &update::UPDATE_NOTE,
    &delete::DELETE_NOTE,
    &restore::Restore,
];

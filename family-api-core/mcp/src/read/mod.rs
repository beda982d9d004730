//! The tools that read.

mod filters;
mod find_free_time;
mod get;
mod get_event;
mod get_note;
mod get_overview;
mod get_task;
mod list_events;
mod list_shopping;
mod list_tasks;
mod page;
mod part;
mod search_notes;
mod text_part;

use crate::handler::ToolHandler;

/// The tools, in the order of `tools/list`.
pub(crate) static HANDLERS: &[&dyn ToolHandler] = &[
    &get_overview::GetOverview,
    &list_tasks::ListTasks,
    &get::GET_TASK,
    &list_events::ListEvents,
    &get::GET_EVENT,
    &find_free_time::FindFreeTime,
    &list_shopping::ListShopping,
    &search_notes::SearchNotes,
    &get::GET_NOTE,
];

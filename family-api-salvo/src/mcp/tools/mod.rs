//! The tools, one per file, and their registry.

mod complete_tasks;
mod delete_note;
mod get_note;
mod get_overview;
mod get_task;
mod list_events;
mod list_shopping;
mod list_tasks;
mod move_task;
mod search_notes;
mod update_note;
mod update_task;

use std::sync::LazyLock;

use family_api_core::Surface;
use family_api_core::access::Caller;
use rmcp::model::Tool as ToolDefinition;

use crate::mcp::tool::{Effect, Tool};

/// All tools, in the order of `tools/list`.
static TOOLS: [&dyn Tool; 12] = [
    &get_overview::GetOverview,
    &list_tasks::ListTasks,
    &get_task::GetTask,
    &list_events::ListEvents,
    &list_shopping::ListShopping,
    &search_notes::SearchNotes,
    &get_note::GetNote,
    &update_task::UpdateTask,
    &complete_tasks::CompleteTasks,
    &move_task::MoveTask,
    &update_note::UpdateNote,
    &delete_note::DeleteNote,
];

/// A tool with its definition, which is built once.
pub(super) struct Entry {
    /// The constant name.
    pub(super) name: &'static str,
    pub(super) effect: Effect,
    definition: ToolDefinition,
    pub(super) tool: &'static dyn Tool,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| TOOLS.map(Entry::new).into());

impl Entry {
    fn new(tool: &'static dyn Tool) -> Self {
        let info = tool.info();
        Self { name: info.name, effect: info.effect, definition: info.definition(), tool }
    }
}

/// Returns the definitions of the tools that a caller may call on a surface.
pub(super) fn definitions(caller: &Caller, surface: Surface) -> Vec<ToolDefinition> {
    let allowed = ENTRIES.iter().filter(|entry| entry.effect.is_allowed(caller, surface));
    allowed.map(|entry| entry.definition.clone()).collect()
}

/// Returns the tool with a name. The service that the tool calls checks whether the caller may call it.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

//! The tools and their registry. Tools that differ only in the kind of record share a file.

mod add;
mod delete;
mod get_note;
mod get_overview;
mod get_task;
mod list_events;
mod list_shopping;
mod list_tasks;
mod mark;
mod move_task;
mod restore;
mod search_notes;
mod update;

use std::sync::{Arc, LazyLock};

use family_api_core::Surface;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::Capabilities;
use rmcp::model::{JsonObject, Tool as ToolDefinition};
use serde_json::Value;

use crate::mcp::call::Call;
use crate::mcp::tool::{Effect, Tool};

/// All tools, in the order of `tools/list`.
static TOOLS: [&dyn Tool; 22] = [
    &get_overview::GetOverview,
    &list_tasks::ListTasks,
    &get_task::GetTask,
    &list_events::ListEvents,
    &list_shopping::ListShopping,
    &search_notes::SearchNotes,
    &get_note::GetNote,
    &add::ADD_TASKS,
    &update::UPDATE_TASK,
    &mark::COMPLETE_TASKS,
    &move_task::MoveTask,
    &delete::DELETE_TASK,
    &add::ADD_EVENTS,
    &update::UPDATE_EVENT,
    &delete::DELETE_EVENT,
    &add::ADD_SHOPPING_LIST,
    &add::ADD_SHOPPING_ITEMS,
    &mark::CHECK_SHOPPING_ITEMS,
    &add::ADD_NOTE,
    &update::UPDATE_NOTE,
    &delete::DELETE_NOTE,
    &restore::Restore,
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

    /// Returns whether the storage can do what the tool does.
    fn is_supported(&self, capabilities: &Capabilities) -> bool {
        let keeps_field = || self.tool.field().is_none_or(|(kind, field)| capabilities.keeps_field(kind, field));
        self.effect.is_supported(capabilities) && keeps_field()
    }

    /// Returns the definition without the fields that the storage does not keep and the kinds of records that the caller
    /// cannot write.
    fn definition_for(&self, call: &Call) -> ToolDefinition {
        let capabilities = call.api().capabilities();
        let mut definition = self.definition.clone();
        let Effect::Write(verb, kinds) = self.effect else {
            return definition;
        };
        let input = Arc::make_mut(&mut definition.input_schema);
        if let [kind] = kinds {
            remove_fields(input, *kind, capabilities);
            if verb == Verb::Delete {
                let can_be_undone = capabilities.supports(*kind, Verb::Restore);
                let undo = if can_be_undone { "It can be restored for 30 days." } else { "It cannot be undone." };
                let description = definition.description.unwrap_or_default();
                definition.description = Some(format!("{description} {undo}").into());
            }
        } else if let Some(kind) = input.get_mut("properties").and_then(|properties| properties.get_mut("kind")) {
            kind["enum"] = self.effect.kinds(call).into_iter().map(RecordKind::as_str).collect();
        }
        definition
    }
}

/// Removes the properties that are fields which the storage does not keep, also in the elements of lists.
fn remove_fields(schema: &mut JsonObject, kind: RecordKind, capabilities: &Capabilities) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| capabilities.keeps_field(kind, name));
        for elements in properties.values_mut().filter_map(|property| property.get_mut("items")) {
            if let Some(elements) = elements.as_object_mut() {
                remove_fields(elements, kind, capabilities);
            }
        }
    }
}

/// Returns the definitions of the tools that a caller may call on a surface.
pub(super) fn definitions(call: &Call, surface: Surface) -> Vec<ToolDefinition> {
    let is_listed =
        |entry: &&Entry| entry.is_supported(call.api().capabilities()) && entry.effect.is_allowed(call, surface);
    ENTRIES.iter().filter(is_listed).map(|entry| entry.definition_for(call)).collect()
}

/// Returns the tool with a name, if the storage can do it. The service that the tool calls checks whether the caller may
/// call it.
pub(super) fn find(name: &str, capabilities: &Capabilities) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name && entry.is_supported(capabilities))
}

#[cfg(test)]
mod tests {
    use family_api_core::resource::ResourceKind;

    use super::*;

    fn names(capabilities: &Capabilities) -> Vec<&'static str> {
        let supported = ENTRIES.iter().filter(|entry| entry.is_supported(capabilities));
        supported.map(|entry| entry.name).collect()
    }

    #[test]
    fn tools_that_the_storage_cannot_do_are_unknown() {
        assert_eq!(names(&Capabilities::all()).len(), TOOLS.len());
        let updates = names(&Capabilities::updates());
        let writes = ["update_task", "complete_tasks", "move_task", "update_note", "delete_note"];
        assert_eq!(updates.iter().filter(|name| writes.contains(name)).count(), writes.len());
        assert_eq!(updates.len(), 7 + writes.len());
        let without_events = names(&Capabilities::all().without_resource(ResourceKind::Events));
        assert_eq!(without_events.len(), TOOLS.len() - 4);
        assert!(without_events.iter().all(|name| !name.contains("event")));
        let without_restore = Capabilities::all().without(RecordKind::Task, Verb::Restore);
        assert!(find("restore", &without_restore).is_some());
        let without_fields = Capabilities::all()
            .without_field(RecordKind::Task, "columnId")
            .without_field(RecordKind::Task, "completed");
        assert_eq!(names(&without_fields).len(), TOOLS.len() - 2);
        assert!(["move_task", "complete_tasks"].iter().all(|name| find(name, &without_fields).is_none()));
    }

    #[test]
    fn fields_that_the_storage_does_not_keep_are_no_arguments() {
        let lost = Capabilities::all().without_field(RecordKind::Task, "labels");
        for (tool, pointer) in
            [("update_task", "/properties/labels"), ("add_tasks", "/properties/tasks/items/properties/labels")]
        {
            let mut input = find(tool, &lost).unwrap().definition.input_schema.as_ref().clone();
            let has_labels = |input: &JsonObject| Value::from(input.clone()).pointer(pointer).is_some();
            assert!(has_labels(&input), "{tool}");
            remove_fields(&mut input, RecordKind::Note, &lost);
            assert!(has_labels(&input), "{tool}");
            remove_fields(&mut input, RecordKind::Task, &lost);
            assert!(!has_labels(&input), "{tool}");
        }
    }
}

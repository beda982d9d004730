//! All tools, with their definitions for clients.

use std::sync::LazyLock;

use family_api_core::Surface;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_core::validation::Json;
use serde_json::Value;

use crate::mcp::tools::answer::{Answer, MAX_BYTES};
use crate::mcp::tools::call::Call;
use crate::mcp::tools::error::ToolError;
use crate::mcp::tools::tool::{Definition, Effect, Tool};
use crate::mcp::tools::{read, write};

/// The message if an answer cannot be made short enough. This happens only if imported records are very long.
const TOO_LARGE: &str = "The answer would be larger than 80 KB. Ask for fewer records, or use the REST resources.";

/// All tools, in the order of `tools/list`.
static TOOLS: [&dyn Tool; 22] = [
    &read::get_overview::GetOverview,
    &read::list_tasks::ListTasks,
    &read::get_task::GetTask,
    &read::list_events::ListEvents,
    &read::list_shopping::ListShopping,
    &read::search_notes::SearchNotes,
    &read::get_note::GetNote,
    &write::add::ADD_TASKS,
    &write::update::UPDATE_TASK,
    &write::mark::COMPLETE_TASKS,
    &write::move_task::MoveTask,
    &write::delete::DELETE_TASK,
    &write::add::ADD_EVENTS,
    &write::update::UPDATE_EVENT,
    &write::delete::DELETE_EVENT,
    &write::add::ADD_SHOPPING_LIST,
    &write::add::ADD_SHOPPING_ITEMS,
    &write::mark::CHECK_SHOPPING_ITEMS,
    &write::add::ADD_NOTE,
    &write::update::UPDATE_NOTE,
    &write::delete::DELETE_NOTE,
    &write::restore::Restore,
];

/// A tool with its definition, which is built once.
pub(crate) struct Entry {
    name: &'static str,
    effect: Effect,
    definition: Definition,
    tool: &'static dyn Tool,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| TOOLS.map(Entry::new).into());

impl Entry {
    fn new(tool: &'static dyn Tool) -> Self {
        let info = tool.info();
        Self { name: info.name, effect: info.effect, definition: info.definition(), tool }
    }

    /// Returns the constant name.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Calls the tool.
    ///
    /// # Errors
    /// The failure of the call.
    pub(crate) async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let answer = self.tool.call(call, arguments).await?;
        // A change was made, so its answer is sent in any case. It contains only short texts.
        if matches!(self.effect, Effect::Read(_)) && answer.size() > MAX_BYTES {
            return Err(ToolError::Correctable(TOO_LARGE.to_owned()));
        }
        Ok(answer)
    }

    /// Returns whether the storage can do what the tool does.
    fn is_supported(&self, capabilities: &Capabilities) -> bool {
        let keeps_field = || self.tool.field().is_none_or(|(kind, field)| capabilities.keeps_field(kind, field));
        self.effect.is_supported(capabilities) && keeps_field()
    }

    /// Returns the definition without the fields that the storage does not keep and the kinds of records that the caller
    /// cannot write.
    fn definition_for(&self, call: &Call) -> Definition {
        let capabilities = call.api().capabilities();
        let mut definition = self.definition.clone();
        let Effect::Write(verb, kinds) = self.effect else {
            return definition;
        };
        let input = &mut definition.input_schema;
        if let [kind] = kinds {
            remove_fields(input, *kind, capabilities);
            if verb == Verb::Delete {
                let can_be_undone = capabilities.supports(*kind, Verb::Restore);
                let undo = if can_be_undone { "It can be restored for 30 days." } else { "It cannot be undone." };
                definition.description = format!("{} {undo}", definition.description);
            }
        } else if let Some(kind) = input.get_mut("properties").and_then(|properties| properties.get_mut("kind")) {
            kind["enum"] = self.effect.kinds(call).into_iter().map(RecordKind::as_str).collect();
        }
        definition
    }
}

/// Removes the properties that are fields which the storage does not keep, also in the elements of lists.
fn remove_fields(schema: &mut Value, kind: RecordKind, capabilities: &Capabilities) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| capabilities.keeps_field(kind, name));
        for elements in properties.values_mut().filter_map(|property| property.get_mut("items")) {
            remove_fields(elements, kind, capabilities);
        }
    }
}

/// Returns the definitions of the tools that a caller may call on a surface.
pub(crate) fn definitions(call: &Call, surface: Surface) -> Vec<Definition> {
    let is_listed =
        |entry: &&Entry| entry.is_supported(call.api().capabilities()) && entry.effect.is_allowed(call, surface);
    ENTRIES.iter().filter(is_listed).map(|entry| entry.definition_for(call)).collect()
}

/// Returns the tool with a name, if the storage can do it. The service that the tool calls checks whether the caller may
/// call it.
pub(crate) fn find(name: &str, capabilities: &Capabilities) -> Option<&'static Entry> {
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
            let mut input = find(tool, &lost).unwrap().definition.input_schema.clone();
            let has_labels = |input: &Value| input.pointer(pointer).is_some();
            assert!(has_labels(&input), "{tool}");
            remove_fields(&mut input, RecordKind::Note, &lost);
            assert!(has_labels(&input), "{tool}");
            remove_fields(&mut input, RecordKind::Task, &lost);
            assert!(!has_labels(&input), "{tool}");
        }
    }
}

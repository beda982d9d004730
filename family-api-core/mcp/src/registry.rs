//! The list of all tools.

use std::sync::LazyLock;

use family_api_core::Surface;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_core::validation::Json;
use serde_json::Value;

use crate::answer::{Answer, MAX_BYTES};
use crate::arguments::{Argument, listed_records};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Definition, Effect, ToolHandler};
use crate::named_days::NamedDays;
use crate::{names, read, write};

/// The message if an answer cannot be made short enough. This happens only if imported records are very long.
const TOO_LARGE: &str = "The answer would be larger than 76 KiB. Ask for fewer records, or use the REST resources.";

/// A tool that an assistant can call.
pub struct Tool {
    name: &'static str,
    effect: Effect,
    arguments: &'static [Argument],
    definition: Definition,
    handler: &'static dyn ToolHandler,
}

/// All tools, in the order of `tools/list`. Their definitions are built once.
static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| read::HANDLERS.iter().chain(write::HANDLERS).map(|handler| Tool::new(*handler)).collect());

impl Tool {
    fn new(handler: &'static dyn ToolHandler) -> Self {
        let info = handler.info();
        let (name, effect, arguments) = (info.name, info.effect, info.arguments);
        Self { name, effect, arguments, definition: info.definition(), handler }
    }

    /// Returns the name, which is one of the constant names in the definitions.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Calls the tool with the caller's permissions. `arguments` is an object: any other value counts as an empty one.
    ///
    /// If the tool writes several records, each after the first counts as a further request against the rate limit of
    /// the caller's token. If the limit does not allow all of them, none is written.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the caller lacks a scope, exceeds the rate limit or the service fails. Every other error
    /// is for the model.
    pub async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        if matches!(self.effect, Effect::Write(..)) {
            context.count_records(listed_records(self.arguments, &arguments))?;
        }
        let days = NamedDays::of(&arguments, context.zone().day_of(context.api().now()));
        let answer = self.handler.call(context, arguments).await.map_err(|error| error.naming_days(&days))?;
        // A change was made, so its answer is sent in any case. It contains only short texts.
        if matches!(self.effect, Effect::Read(_)) && answer.size() > MAX_BYTES {
            return Err(ToolError::Correctable(TOO_LARGE.to_owned()));
        }
        Ok(answer)
    }

    /// Returns whether the storage can do what the tool does.
    fn is_supported(&self, capabilities: &Capabilities) -> bool {
        let keeps_field =
            || self.handler.required_field().is_none_or(|(kind, field)| capabilities.keeps_field(kind, field));
        self.effect.is_supported(capabilities) && keeps_field()
    }

    /// Returns the definition without the fields that the storage does not keep and the kinds of records that the
    /// caller cannot write.
    fn definition_for(&self, context: &ToolContext) -> Definition {
        let capabilities = context.api().capabilities();
        let mut definition = self.definition.clone();
        let Effect::Write(verb, kinds) = self.effect else {
            return definition;
        };
        let input = &mut definition.input_schema;
        if verb == Verb::Delete {
            let can_be_undone = kinds.iter().any(|kind| capabilities.supports(*kind, Verb::Restore));
            let undo = if can_be_undone { "It can be restored for 30 days." } else { "It cannot be undone." };
            definition.description = format!("{} {undo}", definition.description);
        }
        if let [kind] = kinds {
            remove_fields(input, *kind, capabilities);
        } else if let Some(kind) = input.get_mut("properties").and_then(|properties| properties.get_mut("kind")) {
            kind["enum"] = self.effect.kinds(context).into_iter().map(RecordKind::as_str).collect();
        }
        definition
    }
}

/// Removes the properties that are fields which the storage does not keep, also in the elements of lists.
fn remove_fields(schema: &mut Value, kind: RecordKind, capabilities: &Capabilities) {
    let keeps = |name: &str| capabilities.keeps_field(kind, names::field(kind, name));
    // The names of the fields that can be cleared.
    if let Some(fields) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        fields.retain(|field| field.as_str().is_none_or(keeps));
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| keeps(name));
        for elements in properties.values_mut().filter_map(|property| property.get_mut("items")) {
            remove_fields(elements, kind, capabilities);
        }
    }
}

/// Returns the definitions of the tools that a caller may call on a surface.
pub(crate) fn definitions(context: &ToolContext, surface: Surface) -> Vec<Definition> {
    let is_listed =
        |tool: &&Tool| tool.is_supported(context.api().capabilities()) && tool.effect.is_allowed(context, surface);
    TOOLS.iter().filter(is_listed).map(|tool| tool.definition_for(context)).collect()
}

/// Returns the tool with a name, if the storage can do it. The service that the tool calls checks whether the caller
/// may call it.
pub(crate) fn find(name: &str, capabilities: &Capabilities) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name && tool.is_supported(capabilities))
}

#[cfg(test)]
mod tests {
    use family_api_core::resource::ResourceKind;

    use super::*;

    fn names(capabilities: &Capabilities) -> Vec<&'static str> {
        let supported = TOOLS.iter().filter(|tool| tool.is_supported(capabilities));
        supported.map(|tool| tool.name).collect()
    }

    #[test]
    fn tools_that_the_storage_cannot_do_are_unknown() {
        assert_eq!(names(&Capabilities::all()).len(), TOOLS.len());
        let updates = names(&Capabilities::updates());
        let writes = ["update_tasks", "complete_tasks", "update_notes", "delete_notes"];
        assert_eq!(updates.iter().filter(|name| writes.contains(name)).count(), writes.len());
        assert_eq!(updates.len(), 9 + writes.len());
        let without_events = names(&Capabilities::all().without_resource(ResourceKind::Events));
        assert_eq!(without_events.len(), TOOLS.len() - 6);
        assert!(without_events.iter().all(|name| !name.contains("event") && *name != "find_free_time"));
        let without_restore = Capabilities::all().without(RecordKind::Task, Verb::Restore);
        assert!(find("restore", &without_restore).is_some());
        let without_fields = Capabilities::all()
            .without_field(RecordKind::Task, "columnId")
            .without_field(RecordKind::Task, "completed");
        assert_eq!(names(&without_fields).len(), TOOLS.len() - 1);
        assert!(find("complete_tasks", &without_fields).is_none());
    }

    #[test]
    fn fields_that_the_storage_does_not_keep_are_no_arguments() {
        for (field, tool, pointer) in [
            ("labels", "update_tasks", "/properties/labels"),
            ("labels", "add_tasks", "/properties/tasks/items/properties/labels"),
            ("columnId", "update_tasks", "/properties/column"),
            ("description", "update_tasks", "/properties/description"),
            // The last field that can be cleared.
            ("recurrence", "update_tasks", "/properties/clear/items/enum/3"),
            ("assigneeId", "add_tasks", "/properties/tasks/items/properties/assignee"),
        ] {
            let lost = Capabilities::all().without_field(RecordKind::Task, field);
            let mut input = find(tool, &lost).unwrap().definition.input_schema.clone();
            let has_field = |input: &Value| input.pointer(pointer).is_some();
            assert!(has_field(&input), "{tool}");
            remove_fields(&mut input, RecordKind::Note, &lost);
            assert!(has_field(&input), "{tool}");
            remove_fields(&mut input, RecordKind::Task, &lost);
            assert!(!has_field(&input), "{tool}");
        }
        let titles = Capabilities::all().without_field(RecordKind::Note, "content");
        let mut input = find("update_notes", &titles).unwrap().definition.input_schema.clone();
        assert!(input["properties"].get("append").is_some());
        remove_fields(&mut input, RecordKind::Note, &titles);
        assert_eq!((input["properties"].get("append"), input["properties"].get("content")), (None, None));
        let series = Capabilities::all().without_field(RecordKind::Event, "overrides");
        for tool in ["update_events", "delete_events"] {
            let mut input = find(tool, &series).unwrap().definition.input_schema.clone();
            assert!(input["properties"].get("scope").is_some(), "{tool}");
            remove_fields(&mut input, RecordKind::Event, &series);
            assert!(input["properties"].get("scope").is_none(), "{tool}");
        }
    }
}

//! The interface of a tool, and its definition for clients.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::Surface;
use family_api_core::access::Caller;
use family_api_core::key::Scope;
use family_api_core::validation::Json;
use rmcp::model::{Tool as ToolDefinition, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, properties};
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;

/// A tool that a model can call.
#[async_trait]
pub(super) trait Tool: Send + Sync {
    /// Returns the definition of the tool.
    fn info(&self) -> ToolInfo;

    /// Calls the tool. The caller's permission is checked by the service that the tool calls.
    ///
    /// # Errors
    /// The failure of the call.
    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError>;
}

/// The definition of a tool. It is constant: no text of a user occurs in it.
pub(super) struct ToolInfo {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) effect: Effect,
    pub(super) arguments: &'static [Argument],
    /// Properties of the input schema that core declares, in addition to `arguments`.
    pub(super) fields: Map<String, Value>,
    pub(super) output: Value,
}

/// What a tool does to the family's data, and so which scope it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Reads.
    Read,
    /// Updates tasks.
    UpdateTasks,
    /// Updates notes.
    UpdateNotes,
    /// Deletes notes.
    DeleteNotes,
}

impl Effect {
    /// Returns the scope that the tool needs on a surface.
    fn scope(self, surface: Surface) -> Scope {
        match self {
            Self::Read => surface.read_scope(),
            Self::UpdateTasks => Scope::V1TasksWrite,
            Self::UpdateNotes | Self::DeleteNotes => Scope::V1NotesWrite,
        }
    }

    /// Returns whether a caller may call a tool with this effect.
    pub(super) fn is_allowed(self, caller: &Caller, surface: Surface) -> bool {
        caller.has_scope(&self.scope(surface))
    }

    /// Repeating a call never changes more, and no tool reaches anything outside the family's data. Only a deletion is
    /// destructive: the caller can reverse an update, because it is told to read the record first.
    fn annotations(self) -> ToolAnnotations {
        ToolAnnotations::new()
            .read_only(self == Self::Read)
            .destructive(self == Self::DeleteNotes)
            .idempotent(true)
            .open_world(false)
    }
}

impl ToolInfo {
    /// Returns the definition for `tools/list`.
    pub(super) fn definition(self) -> ToolDefinition {
        let (mut properties, required) = properties(self.arguments);
        properties.extend(self.fields);
        let mut input = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            input["required"] = required.into();
        }
        ToolDefinition::new(self.name, self.description, into_object(input))
            .with_title(self.title)
            .with_annotations(self.effect.annotations())
            .with_raw_output_schema(into_object(self.output))
    }
}

fn into_object(schema: Value) -> Arc<Map<String, Value>> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

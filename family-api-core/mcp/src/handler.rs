//! The interface that every tool implements, and its definition for clients.

use async_trait::async_trait;
use family_api_core::Surface;
use family_api_core::key::Scope;
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_core::validation::Json;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::arguments::{Argument, properties};
use crate::context::ToolContext;
use crate::error::ToolError;

/// Describes a tool and handles its calls.
#[async_trait]
pub(crate) trait ToolHandler: Send + Sync {
    /// Returns the parts of the definition of the tool.
    fn info(&self) -> ToolInfo;

    /// Returns the field that the tool always writes, if there is one. A storage that does not keep it does not support
    /// the tool.
    fn required_field(&self) -> Option<(RecordKind, &'static str)> {
        None
    }

    /// Calls the tool. The caller's permission is checked by the service that the tool calls.
    ///
    /// # Errors
    /// The failure of the call.
    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError>;
}

/// The parts of the definition of a tool. They are constant: no text of a user occurs in them.
pub(crate) struct ToolInfo {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) arguments: &'static [Argument],
    /// The schema of an object whose properties are arguments in addition to `arguments`.
    pub(crate) fields: Option<Value>,
    pub(crate) output: Value,
}

/// The definition of a tool for clients. Serializes to the `Tool` of MCP: name, title, description, the JSON Schemas of
/// the arguments and of the answer, and hints about the effect.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    name: &'static str,
    title: &'static str,
    pub(crate) description: String,
    pub(crate) input_schema: Value,
    output_schema: Value,
    annotations: Value,
}

/// What a tool does to the family's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Reads one of these resources.
    Read(&'static [ResourceKind]),
    /// Performs an operation on records of one of these kinds.
    Write(Verb, &'static [RecordKind]),
}

impl Effect {
    /// Returns whether the storage can do it.
    pub(crate) fn is_supported(self, capabilities: &Capabilities) -> bool {
        match self {
            Self::Read(resources) => resources.iter().any(|resource| capabilities.keeps_resource(*resource)),
            Self::Write(verb, kinds) => kinds.iter().any(|kind| capabilities.supports(*kind, verb)),
        }
    }

    /// Returns whether a caller may call a tool with this effect.
    pub(crate) fn is_allowed(self, context: &ToolContext, surface: Surface) -> bool {
        match self {
            Self::Read(_) => context.caller().has_scope(&Scope::read(surface)),
            Self::Write(..) => !self.kinds(context).is_empty(),
        }
    }

    /// Returns the kinds of records that the caller may write with the tool.
    pub(crate) fn kinds(self, context: &ToolContext) -> Vec<RecordKind> {
        let Self::Write(verb, kinds) = self else {
            return Vec::new();
        };
        kinds.iter().copied().filter(|kind| context.can_write(*kind, verb)).collect()
    }

    /// Returns whether a second call with the same arguments changes nothing more. A second completion of a recurring
    /// task skips the next time, if it comes later than 10 minutes after the first. A text is appended to a note again,
    /// if another one was appended in between.
    fn is_repeatable(self) -> bool {
        match self {
            Self::Read(_) => true,
            Self::Write(Verb::Update, kinds) => {
                !kinds.iter().any(|kind| [RecordKind::Task, RecordKind::Note].contains(kind))
            }
            Self::Write(verb, _) => verb.is_repeatable(),
        }
    }

    /// No tool reaches anything outside the family's data. A tool that sets fields overwrites their values, which nothing
    /// restores, and so is as destructive as a deletion. So does every tool that updates what contains other records.
    fn annotations(self, sets_fields: bool) -> Value {
        let overwrites = match self {
            Self::Write(Verb::Update, kinds) => sets_fields || kinds.iter().any(|kind| kind.is_container()),
            _ => false,
        };
        json!({
            "readOnlyHint": matches!(self, Self::Read(_)),
            "destructiveHint": overwrites || matches!(self, Self::Write(Verb::Delete, _)),
            "idempotentHint": self.is_repeatable(),
            "openWorldHint": false,
        })
    }
}

impl ToolInfo {
    /// Returns the definition for `tools/list`.
    pub(crate) fn definition(self) -> Definition {
        let (mut properties, mut required) = properties(self.arguments);
        let annotations = self.effect.annotations(self.fields.is_some());
        if let Some(Value::Object(mut fields)) = self.fields {
            properties.extend(fields.remove("properties").map(into_object).unwrap_or_default());
            if let Some(Value::Array(names)) = fields.remove("required") {
                required.extend(names);
            }
        }
        let mut input = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            input["required"] = required.into();
        }
        Definition {
            name: self.name,
            title: self.title,
            description: self.description.to_owned(),
            input_schema: input,
            output_schema: self.output,
            annotations,
        }
    }
}

fn into_object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

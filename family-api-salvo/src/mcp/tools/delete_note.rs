//! `delete_note`: deletes a note.

use async_trait::async_trait;
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::fields;
use crate::mcp::records::schema;
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::required("id", Kind::Id, ""),
    Argument::optional("if_match", Kind::Tag, "The etag of get_note: delete only this version."),
];

/// Deletes a note.
pub(super) struct DeleteNote;

#[derive(Serialize, JsonSchema)]
struct Output {
    id: String,
    deleted: bool,
}

#[async_trait]
impl Tool for DeleteNote {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "delete_note",
            title: "Delete a note",
            description: "Deletes a note for the whole family. It cannot be undone.",
            effect: Effect::DeleteNotes,
            arguments: ARGUMENTS,
            fields: Map::new(),
            output: schema::<Output>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let notes = call.api().notes(call.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let precondition = fields::precondition(arguments.text("if_match"));
        let deleted = notes.delete(&id, &precondition).await;
        let deleted = deleted.map_err(|error| ToolError::of_deletion(error, RecordKind::Note))?;
        let output = Output { id: deleted.id.to_string(), deleted: deleted.success };
        let text = format!("Deleted the note [{}].\n", output.id);
        Answer::new(&output, text)
    }
}

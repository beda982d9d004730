//! `update_note`: changes fields of a note.

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::change::NoteUpdate;
use family_api_core::validation::Json;

use crate::mcp::answer::Answer;
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::call::Call;
use crate::mcp::error::{RecordKind, ToolError};
use crate::mcp::fields;
use crate::mcp::records::{ChangedNote, schema};
use crate::mcp::tool::{Effect, Tool, ToolInfo};

const ARGUMENTS: &[Argument] = &[
    Argument::required("id", Kind::Id, ""),
    Argument::optional("if_match", Kind::Tag, "The etag of get_note: change only this version."),
];

/// What a model should know about a field, in addition to its name and type.
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("content", "Replaces the whole content."),
    ("tags", "Replaces all tags."),
    ("categoryId", "null removes the category."),
];

/// Changes fields of a note.
pub(super) struct UpdateNote;

#[async_trait]
impl Tool for UpdateNote {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "update_note",
            title: "Update a note",
            description: "Changes the given fields of a note. Other fields keep their values. Read the note first.",
            effect: Effect::UpdateNotes,
            arguments: ARGUMENTS,
            fields: fields::properties(&NoteUpdate::schema(), DESCRIPTIONS),
            output: schema::<ChangedNote>(),
        }
    }

    async fn call(&self, call: &Call, arguments: Json) -> Result<Answer, ToolError> {
        let notes = call.api().notes(call.caller())?;
        let (arguments, given) = Arguments::read_some(ARGUMENTS, arguments)?;
        fields::check_names(&given, &fields::names(&NoteUpdate::schema()))?;
        fields::check_values(&given)?;
        let names = fields::with_value(&given);
        let update = NoteUpdate::from_body(fields::body(given)).map_err(Error::InvalidField)?;
        let id = arguments.text("id").unwrap_or_default().into();
        let before = call.note(&id).await?;
        let precondition = fields::precondition(arguments.text("if_match"));
        let after = notes.update(&id, update, &precondition).await;
        let after = after.map_err(|error| ToolError::of_change(error, RecordKind::Note, before.as_ref(), &names))?;
        ChangedNote::new(before.as_ref(), after)?.into_answer()
    }
}

//! `get_task`, `get_event` and `get_note`: return a record with its text, in parts if it is long.

use std::fmt::Write;
use std::marker::PhantomData;

use async_trait::async_trait;
use family_api_core::EntityTag;
use family_api_core::resource::{Event, Note, ResourceKind, Task};
use family_api_core::validation::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, size};
use crate::arguments::{Argument, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::read::text_part::{OFFSET, TextPart};
use crate::records::schema;
use crate::write::fields::unquoted;

const ARGUMENTS: &[Argument] = &[ID, OFFSET];

pub(crate) const GET_TASK: Get<Task> = Get {
    name: "get_task",
    title: "Get a task",
    description: "Returns a task, and its etag for ifMatch.",
    update_tool: "update_tasks",
    record: PhantomData,
};

pub(crate) const GET_EVENT: Get<Event> = Get {
    name: "get_event",
    title: "Get an event",
    description: "Returns an event or occurrence, and its etag for ifMatch.",
    update_tool: "update_events",
    record: PhantomData,
};

pub(crate) const GET_NOTE: Get<Note> = Get {
    name: "get_note",
    title: "Get a note",
    description: "Returns a note, and its etag for ifMatch.",
    update_tool: "update_notes",
    record: PhantomData,
};

/// Returns a record with its text.
pub(crate) struct Get<R> {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The tool that changes the text.
    update_tool: &'static str,
    record: PhantomData<fn() -> R>,
}

/// A kind of record with a text that can be long.
pub(crate) trait TextRecord: 'static {
    /// The record without the text.
    type Whole: Serialize + JsonSchema + Send + Sync;
    /// The part of the text.
    type Text: From<Part> + Serialize + JsonSchema + Send + Sync;

    /// The resource with the record.
    const RESOURCE: ResourceKind;
    /// What the text is, for its heading.
    const HEADING: &'static str;

    /// Finds the record with an id.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] if the id is invalid or unknown. The error of the read.
    fn find(context: &ToolContext, id: &str) -> impl Future<Output = Result<Found<Self::Whole>, ToolError>> + Send;
}

/// A record that was found.
pub(crate) struct Found<W> {
    pub(crate) whole: W,
    /// The lines about the record.
    pub(crate) lines: String,
    /// `None` if the record has no text.
    pub(crate) text: Option<String>,
    pub(crate) tag: EntityTag,
}

/// A part of a text, and the length of the whole text in characters. `None` if the record has no text.
pub(crate) type Part = (Option<String>, usize);

// The part of the description that begins at the argument `offset`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Description {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    description_length: usize,
}

impl From<Part> for Description {
    fn from((description, description_length): Part) -> Self {
        Self { description, description_length }
    }
}

// The part of the content that begins at the argument `offset`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Content {
    content: String,
    content_length: usize,
}

impl From<Part> for Content {
    fn from((content, content_length): Part) -> Self {
        Self { content: content.unwrap_or_default(), content_length }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output<W, T> {
    time_zone: String,
    #[serde(flatten)]
    whole: W,
    #[serde(flatten)]
    text: T,
    // True if the text is a part.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    // Another one after each change, so that parts of two versions are not joined.
    etag: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

#[async_trait]
impl<R: TextRecord> ToolHandler for Get<R> {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: self.name,
            title: self.title,
            description: self.description,
            effect: Effect::Read(const { &[R::RESOURCE] }),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output<R::Whole, R::Text>>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let Found { whole, lines: mut text, text: described, tag } =
            R::find(context, arguments.text("id").unwrap_or_default()).await?;
        let (time_zone, etag) = (context.zone().as_str().to_owned(), unquoted(&tag));
        let _ = writeln!(text, "etag {etag}. Times are in {time_zone}.");
        let mut output = Output {
            time_zone,
            whole,
            text: R::Text::from((None, 0)),
            cut: false,
            next_offset: None,
            etag,
            notices: Vec::new(),
        };
        let part = TextPart::new(described.as_deref().unwrap_or_default(), &arguments, size(&output, &text)?)?;
        if described.is_some() {
            output.text = (Some(part.structured()), part.total).into();
            output.cut = part.is_cut();
            output.next_offset = part.next_offset();
            output.notices.extend(part.notice(self.update_tool));
            text.push_str(&part.lines(R::HEADING, &output.notices));
        }
        Answer::new(&output, text)
    }
}

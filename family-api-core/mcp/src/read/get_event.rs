//! `get_event`: returns one event or occurrence.

use std::fmt::Write;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::occurrences::find_occurrence;
use family_api_core::resource::{Event, Occurrence, Person, ResourceKind};
use family_api_core::storage::StorageError;
use family_api_core::validation::{Field, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, size};
use crate::arguments::{Argument, Arguments, ID};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::instant::local_time;
use crate::read::text_part::{OFFSET, TextPart};
use crate::records::{EventItem, name, schema};
use crate::write::event_target::EventTarget;

const ARGUMENTS: &[Argument] = &[ID, OFFSET];

/// Returns one event or occurrence.
pub(crate) struct GetEvent;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    time_zone: String,
    event: Whole,
    // The part of the description that begins at the argument `offset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    description_length: usize,
    // True if the description is a part.
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

// An event without its description.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Whole {
    #[serde(flatten)]
    item: EventItem,
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
    created_at: String,
    updated_at: String,
}

#[async_trait]
impl ToolHandler for GetEvent {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "get_event",
            title: "Get an event",
            description: "Returns an event or an occurrence with its whole description.",
            effect: Effect::Read(&[ResourceKind::Events]),
            arguments: ARGUMENTS,
            fields: None,
            output: schema::<Output>(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let reads = context.api().read(context.caller())?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let target = EventTarget::parse(arguments.text("id").unwrap_or_default(), None)?;
        let event = reads.get_event(&target.event).await.map_err(|error| target.failed(error))?.record;
        let members: Vec<Person> = if names_people(&event) {
            reads.members().await?.parse().map_err(StorageError::from).map_err(Error::from)?
        } else {
            Vec::new()
        };
        let zone = context.zone();
        let mut occurrence = match &target.occurrence {
            Some(named) => {
                find_occurrence(&event, zone, named.start, &members).ok_or_else(|| target.failed(Error::NotFound))?
            }
            None => Occurrence::of_single(&event),
        };
        let description = occurrence.description.take();
        let mut output = Output {
            time_zone: zone.as_str().to_owned(),
            description: None,
            description_length: 0,
            cut: false,
            next_offset: None,
            event: Whole {
                emoji: occurrence.emoji.take().map(|emoji| name(&emoji)),
                color: occurrence.color.take().map(|color| name(&color)),
                time_zone: occurrence.time_zone.as_ref().map(|zone| zone.as_str().to_owned()),
                created_at: local_time(occurrence.created_at, zone),
                updated_at: local_time(occurrence.updated_at, zone),
                item: EventItem::new(occurrence, &members, zone),
            },
            notices: Vec::new(),
        };
        let mut text = output.event.item.line();
        text.push_str(&output.details());
        let part = TextPart::new(description.as_deref().unwrap_or_default(), &arguments, size(&output, &text)?)?;
        if description.is_some() {
            output.description = Some(part.structured());
            output.description_length = part.total;
            output.cut = part.is_cut();
            output.next_offset = part.next_offset();
            output.notices.extend(part.notice("update_event", "updatedAt"));
            text.push_str(&part.lines("Description", &output.notices));
        }
        Answer::new(&output, text)
    }
}

/// Returns whether an event names users that it has only by their ids.
fn names_people(event: &Event) -> bool {
    let named = |change: &family_api_core::occurrences::Override| {
        let participants = change.participant_ids.as_ref();
        matches!(change.assignee_id, Field::Set(_)) || participants.is_some_and(|participants| !participants.is_empty())
    };
    !event.participant_ids.is_empty() || event.overrides.as_slice().iter().any(named)
}

impl Output {
    /// Returns the lines about the event that lists do not contain.
    fn details(&self) -> String {
        let Whole { emoji, color, time_zone, created_at, updated_at, .. } = &self.event;
        let mut lines = String::new();
        for look in emoji.iter().chain(color) {
            let _ = write!(lines, "{look} ");
        }
        if let Some(zone) = time_zone {
            let _ = write!(lines, "In the time zone {zone}. ");
        }
        let _ = writeln!(lines, "Created {created_at}, changed {updated_at}. Times are in {}.", self.time_zone);
        lines
    }
}

//! The event or occurrence that `get_event` returns.

use std::fmt::Write;

use family_api_core::Error;
use family_api_core::occurrences::{Override, find_occurrence};
use family_api_core::resource::{Event, Occurrence, Person, ResourceKind};
use family_api_core::storage::StorageError;
use family_api_core::validation::Field;
use schemars::JsonSchema;
use serde::Serialize;

use crate::context::ToolContext;
use crate::error::ToolError;
use crate::instant::local_time;
use crate::read::get::{Description, Found, TextRecord};
use crate::records::{EventItem, name};
use crate::write::event_target::EventTarget;

#[derive(Serialize, JsonSchema)]
pub(crate) struct EventWithout {
    event: Whole,
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

impl TextRecord for Event {
    type Whole = EventWithout;
    type Text = Description;

    const RESOURCE: ResourceKind = ResourceKind::Events;
    const HEADING: &'static str = "Description";

    async fn find(context: &ToolContext, id: &str) -> Result<Found<EventWithout>, ToolError> {
        let reads = context.api().read(context.caller())?;
        let target = EventTarget::parse(id, None)?;
        let found = reads.get_event(&target.event).await.map_err(|error| target.failed(error))?;
        let event = found.record;
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
        let text = occurrence.description.take();
        let event = Whole {
            emoji: occurrence.emoji.take().map(|emoji| name(&emoji)),
            color: occurrence.color.take().map(|color| name(&color)),
            time_zone: occurrence.time_zone.as_ref().map(|zone| zone.as_str().to_owned()),
            created_at: local_time(occurrence.created_at, zone),
            updated_at: local_time(occurrence.updated_at, zone),
            item: EventItem::new(occurrence, &members, zone),
        };
        Ok(Found { lines: event.lines(), whole: EventWithout { event }, text, tag: found.tag })
    }
}

/// Returns whether an event names users that it has only by their ids.
fn names_people(event: &Event) -> bool {
    let named = |change: &Override| {
        let participants = change.participant_ids.as_ref();
        matches!(change.assignee_id, Field::Set(_)) || participants.is_some_and(|participants| !participants.is_empty())
    };
    !event.participant_ids.is_empty() || event.overrides.as_slice().iter().any(named)
}

impl Whole {
    fn lines(&self) -> String {
        let Self { item, emoji, color, time_zone, created_at, updated_at } = self;
        let mut lines = item.line();
        for look in emoji.iter().chain(color) {
            let _ = write!(lines, "{look} ");
        }
        if let Some(zone) = time_zone {
            let _ = write!(lines, "In the time zone {zone}. ");
        }
        let _ = writeln!(lines, "Created {created_at}, changed {updated_at}.");
        lines
    }
}

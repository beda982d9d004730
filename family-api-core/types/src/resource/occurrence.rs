//! Occurrences of calendar events.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::calendar::{Zone, ZoneName};
use crate::id::{EventId, UserId};
use crate::occurrences::{LocalStart, OccurrenceStart, Override};
use crate::resource::Event;
use crate::resource::Person;
use crate::timestamp::Timestamp;
use crate::validation::Field;

/// Identifies an occurrence in lists. It is unique among all occurrences of a family.
///
/// It is the id of the event if the event does not recur. Otherwise, it is the id of the event, `@` and the start of
/// the occurrence by the rule: `piano@20261123T153000Z`, or the date for an all-day event: `birthday@20261201`. No id of an
/// event contains `@`. The identifier changes only with the dates of the event, its recurrence or its time zone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct OccurrenceId(String);

impl OccurrenceId {
    /// Returns the identifier of the occurrence of a recurring event.
    #[must_use]
    pub fn of(event: &EventId, start: OccurrenceStart) -> Self {
        Self(format!("{event}@{start}"))
    }

    /// Returns the identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OccurrenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The response to the deletion of an occurrence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DeletedOccurrence {
    /// Always true.
    pub success: bool,
    /// Identifier of the event, `@` and the start in the path of the request.
    pub id: OccurrenceId,
}

impl DeletedOccurrence {
    /// Creates the response to the deletion of an occurrence.
    #[must_use]
    pub const fn new(id: OccurrenceId) -> Self {
        Self { success: true, id }
    }
}

/// An occurrence of a calendar event: the fields of the event with its own dates and changes, ordered by `startDate`,
/// `occurrenceOf`, `recurrenceId`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// Identifier of the occurrence. It equals `occurrenceOf` if the event does not recur.
    pub id: OccurrenceId,
    /// Identifier of the event.
    pub occurrence_of: EventId,
    /// Title.
    pub title: String,
    /// Description; null if there is none.
    pub description: Option<String>,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// When the occurrence starts.
    pub start_date: Timestamp,
    /// When the occurrence ends. The last day of an all-day event is the local date of this instant in `timeZone`. An
    /// event that ends when a day begins does not include that day.
    pub end_date: Timestamp,
    /// Whether the event lasts whole days.
    pub all_day: bool,
    /// The IANA time zone of the event; null if the application keeps none.
    pub time_zone: Option<ZoneName>,
    /// Place, as free text; null if there is none.
    pub location: Option<String>,
    /// RRULE value (RFC 5545) of the event, returned unchanged; null if the event does not recur.
    pub recurrence: Option<String>,
    /// When the occurrence starts by the rule, in the time zone of the event: a local date and time, or a date if the
    /// event lasts whole days; null if the event does not recur.
    pub recurrence_id: Option<LocalStart>,
    /// The user that the event is assigned to; null if it is unassigned.
    pub assignee_id: Option<UserId>,
    /// The assignee; null if unassigned, or if the user is no longer in the family.
    pub assignee: Option<Person>,
    /// The users who take part, in the order in which they were given. Some may no longer be in the family.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(required))]
    pub participant_ids: Vec<UserId>,
    /// When the event was created.
    pub created_at: Timestamp,
    /// When the event was last changed.
    pub updated_at: Timestamp,
}

impl Occurrence {
    /// Returns an event with its own id and dates, which is the only occurrence of one that does not recur.
    #[must_use]
    pub fn of_single(event: &Event) -> Self {
        Self::new(event, event.id.to_string(), None, event.start_date, event.end_date)
    }

    /// Returns the start and the end in the time zone of the reader. Those of an all-day event are its first and its last
    /// day, in its own time zone, or else in that of the reader.
    #[must_use]
    pub fn local_span(&self, reader: &Zone) -> [LocalStart; 2] {
        let (start, end) = (self.start_date, self.end_date);
        if !self.all_day {
            return [start, end].map(|at| reader.local(at).into());
        }
        let own = self.time_zone.as_ref().and_then(ZoneName::zone);
        let zone = own.as_ref().unwrap_or(reader);
        [zone.local(start).date(), zone.last_day(start, end)].map(LocalStart::from)
    }

    /// Returns an occurrence of a recurring event. `by_rule` is when it starts by the rule.
    pub(crate) fn of_recurring(
        event: &Event,
        key: LocalStart,
        by_rule: Timestamp,
        (start, end): (Timestamp, Timestamp),
    ) -> Self {
        let suffix = if key.is_whole_day() {
            key.date().strftime("%Y%m%d").to_string()
        } else {
            by_rule.utc().strftime("%Y%m%dT%H%M%SZ").to_string()
        };
        Self::new(event, format!("{}@{suffix}", event.id), Some(key), start, end)
    }

    /// Returns the occurrence with the fields that a change sets. The assignee is one of the members, or null.
    pub(crate) fn changed(self, change: &Override, members: &[Person]) -> Self {
        let change = change.clone();
        let assignee = match &change.assignee_id {
            Field::Set(id) if self.assignee_id.as_ref() != Some(id) => {
                members.iter().find(|member| member.id == *id).cloned()
            }
            Field::Clear => None,
            Field::Keep | Field::Set(_) => self.assignee,
        };
        Self {
            title: change.title.unwrap_or(self.title),
            description: change.description.apply_to(self.description),
            emoji: change.emoji.apply_to(self.emoji),
            color: change.color.apply_to(self.color),
            location: change.location.apply_to(self.location),
            assignee_id: change.assignee_id.apply_to(self.assignee_id),
            assignee,
            participant_ids: change.participant_ids.unwrap_or(self.participant_ids),
            ..self
        }
    }

    fn new(
        event: &Event,
        id: String,
        recurrence_id: Option<LocalStart>,
        start_date: Timestamp,
        end_date: Timestamp,
    ) -> Self {
        let event = event.clone();
        Self {
            id: OccurrenceId(id),
            occurrence_of: event.id,
            title: event.title,
            description: event.description,
            emoji: event.emoji,
            color: event.color,
            start_date,
            end_date,
            all_day: event.all_day,
            time_zone: event.time_zone,
            location: event.location,
            recurrence: event.recurrence,
            recurrence_id,
            assignee_id: event.assignee_id,
            assignee: event.assignee,
            participant_ids: event.participant_ids,
            created_at: event.created_at,
            updated_at: event.updated_at,
        }
    }
}

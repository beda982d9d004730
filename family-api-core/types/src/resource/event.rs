//! Calendar events.

use serde::{Deserialize, Serialize};

use crate::calendar::ZoneName;
use crate::id::{EventId, UserId};
use crate::occurrences::Overrides;
use crate::resource::Person;
use crate::timestamp::Timestamp;

/// A calendar event, ordered by `startDate`, `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Identifier of the event.
    pub id: EventId,
    /// Title.
    pub title: String,
    /// Description; null if there is none.
    pub description: Option<String>,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// When the event starts.
    pub start_date: Timestamp,
    /// When the event ends.
    pub end_date: Timestamp,
    /// Whether the event lasts whole days.
    pub all_day: bool,
    /// The IANA time zone of the event; null if the application keeps none.
    pub time_zone: Option<ZoneName>,
    /// Place, as free text; null if there is none.
    pub location: Option<String>,
    /// RRULE value (RFC 5545), returned unchanged; null if the event does not recur.
    pub recurrence: Option<String>,
    /// The changed occurrences, ordered by `recurrenceId`. Empty if there are none.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(required))]
    pub overrides: Overrides,
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
    /// How often the event was changed since its creation, up to 2,147,483,647: the SEQUENCE (RFC 5545) of the event
    /// in a calendar.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(required, range(max = crate::change::MAX_SEQUENCE)))]
    pub sequence: u32,
}

impl Event {
    /// Creates an event from `start_date` to `end_date`, without any other field. It was last changed when it was
    /// created.
    #[must_use]
    pub fn new(
        id: EventId,
        title: impl Into<String>,
        start_date: Timestamp,
        end_date: Timestamp,
        created_at: Timestamp,
    ) -> Self {
        Self {
            id,
            title: title.into(),
            description: None,
            emoji: None,
            color: None,
            start_date,
            end_date,
            all_day: false,
            time_zone: None,
            location: None,
            recurrence: None,
            overrides: Overrides::default(),
            assignee_id: None,
            assignee: None,
            participant_ids: Vec::new(),
            created_at,
            updated_at: created_at,
            sequence: 0,
        }
    }
}

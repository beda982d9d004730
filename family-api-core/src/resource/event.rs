//! Calendar events.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::{EventId, UserId};
use crate::resource::Person;

/// A calendar event, ordered by `startDate`, `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Event {
    pub id: EventId,
    pub title: String,
    pub description: Option<String>,
    pub emoji: Option<String>,
    pub color: Option<String>,
    pub start_date: Timestamp,
    pub end_date: Timestamp,
    pub all_day: bool,
    pub location: Option<String>,
    /// An RRULE value (RFC 5545), passed through.
    pub recurrence: Option<String>,
    pub assignee_id: Option<UserId>,
    /// The assignee, while they are in the family.
    pub assignee: Option<Person>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

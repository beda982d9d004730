//! Calendar events.

use serde::Deserialize;

use super::field::nullable;
use crate::Timestamp;
use crate::id::{EventId, FamilyId, UserId};

/// A calendar event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EventRecord {
    /// The event.
    pub id: EventId,
    /// The family of the event.
    pub family_id: FamilyId,
    /// Title.
    pub title: String,
    /// Description.
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// Display colour.
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    /// When the event starts.
    pub start_date: Timestamp,
    /// When the event ends.
    pub end_date: Timestamp,
    /// Whether the event takes whole days.
    pub all_day: bool,
    /// Place, as free text.
    #[serde(deserialize_with = "nullable")]
    pub location: Option<String>,
    /// RRULE value (RFC 5545).
    #[serde(deserialize_with = "nullable")]
    pub recurrence: Option<String>,
    /// The assignee. The user need not exist.
    #[serde(deserialize_with = "nullable")]
    pub assignee_id: Option<UserId>,
    /// When the event was created.
    pub created_at: Timestamp,
    /// When the event was last changed.
    pub updated_at: Timestamp,
}

//! Calendar events.

use super::field::recurrence;
use crate::Timestamp;
use crate::id::{EventId, FamilyId, UserId};
use crate::resource::Event;
use crate::storage::LoadFault;

record! {
    /// A calendar event.
    EventRecord: "event" in "events" {
        /// Identifier of the event.
        id: EventId,
        /// Title.
        title: String,
        /// Description.
        description: Option<String>,
        /// Display emoji.
        emoji: Option<String>,
        /// Display colour.
        color: Option<String>,
        /// When the event starts.
        start_date: Timestamp,
        /// When the event ends.
        end_date: Timestamp,
        /// Whether the event takes whole days.
        all_day: bool,
        /// Place, as free text.
        location: Option<String>,
        /// RRULE value (RFC 5545).
        #[serde(default, deserialize_with = "recurrence")]
        recurrence: Option<String>,
        /// The assignee. The user need not exist.
        assignee_id: Option<UserId>,
        /// When the event was created.
        created_at: Timestamp,
        /// When the event was last changed.
        updated_at: Timestamp,
    } stores {
        /// The family of the event.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
    } becomes Event {
        assignee: None,
    }
}

impl EventRecord {
    /// Refuses an event that ends before it starts. It would overlap no range of days.
    pub(super) fn check_dates(&self) -> Result<(), LoadFault> {
        if self.end_date < self.start_date {
            return Err(LoadFault::new("endDate", "expected an instant that is not before startDate"));
        }
        Ok(())
    }
}

//! Calendar events.

use super::field::{overrides, recurrence, sequence, time_zone};
use crate::Timestamp;
use crate::calendar::ZoneName;
use crate::change::MAX_PARTICIPANTS;
use crate::id::{EventId, FamilyId, UserId};
use crate::occurrences::Overrides;
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
        /// IANA time zone. `None` in a line: the zone of the family's first member, or the stored zone in an update.
        #[serde(default, deserialize_with = "time_zone")]
        time_zone: Option<ZoneName>,
        /// Place, as free text.
        location: Option<String>,
        /// RRULE value (RFC 5545).
        #[serde(default, deserialize_with = "recurrence")]
        recurrence: Option<String>,
        /// The changed occurrences.
        #[serde(default, deserialize_with = "overrides")]
        overrides: Overrides,
        /// The assignee. The user need not exist.
        assignee_id: Option<UserId>,
        /// The users who take part. They need not exist.
        #[serde(default)]
        participant_ids: Vec<UserId>,
        /// When the event was created.
        created_at: Timestamp,
        /// When the event was last changed.
        updated_at: Timestamp,
        /// How many changes there were since the creation: a whole number of at most 31 bits. 0 if a line has none.
        #[serde(default, deserialize_with = "sequence")]
        sequence: u32,
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
    /// Checks the fields that depend on each other, and the number of participants. An event that ends before it starts
    /// would overlap no range of days.
    pub(super) fn check(&self) -> Result<(), LoadFault> {
        if self.end_date < self.start_date {
            return Err(LoadFault::new("endDate", "expected an instant that is not before startDate"));
        }
        if self.recurrence.is_none() && !self.overrides.is_empty() {
            return Err(LoadFault::new("overrides", "expected an empty list, because the event does not recur"));
        }
        if self.overrides.as_slice().iter().any(|change| change.recurrence_id.is_whole_day() != self.all_day) {
            return Err(LoadFault::new(
                "overrides",
                "expected each `recurrenceId` to be a date if the event is all-day",
            ));
        }
        let lists = self.overrides.as_slice().iter().filter_map(|change| change.participant_ids.as_ref());
        if lists.chain([&self.participant_ids]).any(|participants| participants.len() > MAX_PARTICIPANTS) {
            return Err(LoadFault::new("participantIds", "expected at most 30 identifiers"));
        }
        Ok(())
    }
}

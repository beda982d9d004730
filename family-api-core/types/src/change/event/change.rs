//! The fields of an event's bodies.

use crate::calendar::ZoneName;
use crate::change::DateOrInstant;
use crate::change::date_or_instant::DATE_OR_INSTANT;
use crate::change::editable::ValidChange;
use crate::change::event::occurrence::{OCCURRENCE, OccurrencePart};
use crate::change::event::participants::PARTICIPANTS;
use crate::change::event::recurrence::RECURRENCE;
use crate::change::fields::change;
use crate::id::UserId;
use crate::resource::Event;
use crate::validation::rules::{BOOLEAN, COLOR, DESCRIPTION, EMOJI, TITLE, TextRule, reference_or_empty, time_zone};
use crate::validation::{Field, Reference};

const LOCATION: TextRule =
    TextRule { length: 0..=1_000, expected: "expected a string of at most 1,000 characters or null" };

/// A valid update of an event.
pub type EventUpdate = ValidChange<EventChange>;

change! {
    /// A change of an event. The methods set or clear single fields. All other fields keep their values.
    ///
    /// ```
    /// use family_api_types::change::EventChange;
    /// use family_api_types::jiff::civil::date;
    ///
    /// let day = date(2026, 12, 24);
    /// let change = EventChange::new().title("Christmas Eve").start_date(day).end_date(day).all_day();
    /// assert!(change.build_new().is_ok());
    /// ```
    EventChange => EventUpdate of Event {
        required title: String = "title", TITLE,
            "The title, 1 to 500 characters after trimming. It is stored trimmed.",
        {
            /// Sets the title: 1–500 characters after trimming. It is stored trimmed.
            set title(impl Into<String>);
        }
        nullable description: String = "description", DESCRIPTION,
            "The text below the title. Null removes it.",
        {
            /// Sets the description: at most 20,000 characters.
            set description(impl Into<String>);
            /// Removes the description.
            clear clear_description;
        }
        nullable emoji: String = "emoji", EMOJI,
            "The emoji of the event. Null removes it.",
        {
            /// Sets the emoji: 1–32 characters.
            set emoji(impl Into<String>);
            /// Removes the emoji.
            clear clear_emoji;
        }
        nullable color: String = "color", COLOR,
            "The colour of the event, as `#rrggbb`. Null removes it.",
        {
            /// Sets the colour: `#rrggbb`.
            set color(impl Into<String>);
            /// Removes the colour.
            clear clear_color;
        }
        required start_date: DateOrInstant = "startDate", DATE_OR_INSTANT,
            "When the event starts: an RFC 3339 instant, a local time (`2026-12-24T18:00`) in the profile's time zone, \
             or a date, which means the start of that day in this zone. An all-day event starts when a day starts. In \
             a change without `endDate`, the event keeps its length.",
        {
            /// Sets the start: an instant, a local time, or the start of a day in the profile's time zone. In a change
            /// without an [end](Self::end_date), the event keeps its length.
            set start_date(impl Into<DateOrInstant>);
        }
        required end_date: DateOrInstant = "endDate", DATE_OR_INSTANT,
            "When the event ends, not before `startDate`: an RFC 3339 instant, a local time in the profile's time \
             zone, or a date. For an all-day event, the date is its last day, and a time must be the start of the day \
             after it. For other events, a date means the start of that day in the profile's time zone.",
        {
            /// Sets the end: an instant, or a local time or a day in the profile's time zone. The day is the last day
            /// of an all-day event. Other events end when the day starts.
            set end_date(impl Into<DateOrInstant>);
        }
        optional all_day: bool = "allDay", BOOLEAN,
            "Whether the event takes whole days. Default of a new event: false.",
        {
            /// Makes the event take whole days.
            flag all_day = true;
            /// Makes the event start and end at times.
            flag timed = false;
        }
        optional time_zone: ZoneName = "timeZone", time_zone(),
            "The IANA time zone of the event. Default of a new event: the profile's time zone.",
        {
            /// Sets the time zone.
            set time_zone(impl Into<ZoneName>);
        }
        nullable location: String = "location", LOCATION,
            "The place, as free text. Null removes it.",
        {
            /// Sets the place, as free text: at most 1,000 characters.
            set location(impl Into<String>);
            /// Removes the place.
            clear clear_location;
        }
        nullable recurrence: String = "recurrence", RECURRENCE,
            "The value of an RRULE (RFC 5545), with optional lines EXDATE and RDATE. Null removes it.",
        {
            /// Sets the recurrence: the value of an RRULE (RFC 5545), such as `FREQ=WEEKLY;BYDAY=MO`.
            set recurrence(impl Into<String>);
            /// Removes the recurrence.
            clear clear_recurrence;
        }
        clearable assignee: Reference<UserId> = "assigneeId", reference_or_empty(),
            "A member of the family. Null or an empty string removes the assignee.",
        {
            /// Assigns the event to a member of the family.
            set assignee(&UserId);
            /// Unassigns the event.
            clear clear_assignee;
        }
        optional participants: Vec<Reference<UserId>> = "participantIds", PARTICIPANTS,
            "Members of the family who take part, at most 30. The list replaces the stored list.",
        {
            /// Replaces the members of the family who take part: at most 30.
            users participants;
        }
        // A host that does not keep `overrides` refuses the change, as for any field with this name.
        path_only occurrence: OccurrencePart = "overrides", OCCURRENCE,
            "The only occurrence to which the change applies.",
        {}
    }
    example {
        "title": "Swimming lesson",
        "description": "Bring the goggles.",
        "emoji": "🏊",
        "color": "#3366cc",
        "startDate": "2026-12-01T16:00:00Z",
        "endDate": "2026-12-01T17:00:00Z",
        "allDay": false,
        "timeZone": "Europe/Madrid",
        "location": "City pool",
        "recurrence": "FREQ=WEEKLY;BYDAY=TU",
    }
}

impl EventUpdate {
    /// Returns the user that must be a member of the family for the update.
    #[must_use]
    pub fn named_assignee(&self) -> Option<&UserId> {
        match &self.0.assignee {
            Field::Set(reference) => reference.id(),
            Field::Keep | Field::Clear => None,
        }
    }

    /// Returns whether the update names users that must be members of the family.
    #[must_use]
    pub fn names_participants(&self) -> bool {
        self.0.participants.as_ref().is_some_and(|participants| !participants.is_empty())
    }
}

//! The kinds of records that tools add.

use std::future::ready;

use family_api_core::Error;
use family_api_core::calendar::Zone;
use family_api_core::change::{DateOrInstant, New, ShoppingItemUpdate, TaskUpdate};
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};
use family_api_core::validation::Json;

use crate::arguments::Members;
use crate::context::ToolContext;
use crate::names::Target;
use crate::write::tool_record::ToolRecord;

/// The length of a timed event without an end.
const DEFAULT_LENGTH: SignedDuration = SignedDuration::from_hours(1);

/// A kind of record that tools add.
pub(crate) trait AddableRecord: ToolRecord {
    /// What a model should know about a field, in addition to its name and type.
    const DESCRIPTIONS: &'static [(&'static str, &'static str)];

    /// The fields with a default that the HTTP API does not have.
    const OPTIONAL: &'static [&'static str] = &[];

    /// The argument that names the column or list of all records.
    const CONTAINER: Option<(&'static str, Target)> = None;

    /// Returns the lists with their items if every record needs a list, so that the first one is the default, and what
    /// is on it already is not added. `None` for any other kind.
    ///
    /// # Errors
    /// The error of the read.
    fn lists(_: &ToolContext) -> impl Future<Output = Result<Option<Vec<ShoppingList>>, Error>> + Send {
        ready(Ok(None))
    }

    /// Returns the item, if this is the kind of items.
    fn into_item(self) -> Option<ShoppingItem> {
        None
    }

    /// Returns the event, if this is the kind of events.
    fn as_event(&self) -> Option<&Event> {
        None
    }

    /// Adds the defaults of the [optional](Self::OPTIONAL) fields, and of those that follow from others. Returns what
    /// was added in words.
    fn complete(_: &mut Members, _zone: &Zone) -> Option<String> {
        None
    }

    /// Puts a new record into the column or list with an id, if its fields do not name one.
    fn put_in(new: New<Self::Update>, _container: &str) -> New<Self::Update> {
        new
    }
}

impl AddableRecord for Task {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("dueDate", "A day or a local time."),
        ("recurrence", "RRULE (RFC 5545). The task is due again when completed."),
        ("isPrivate", "true: only you see the task."),
        ("assignee", "A member: name, id or me."),
    ];

    const CONTAINER: Option<(&'static str, Target)> = Some(("column", Target::Place));

    fn put_in(new: New<TaskUpdate>, container: &str) -> New<TaskUpdate> {
        new.or_in_column(container.into())
    }
}

impl AddableRecord for Event {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[
        ("start", "A local time, or the first day of an all-day event."),
        ("end", "A local time, or the last day. Default: an hour later, or the same day."),
        ("allDay", "Default: true if the dates are days."),
        ("recurrence", "RRULE (RFC 5545)."),
        ("assignee", "A member: name, id or me."),
        ("participants", "Members: names or ids."),
    ];

    const OPTIONAL: &'static [&'static str] = &["end"];

    fn as_event(&self) -> Option<&Event> {
        Some(self)
    }

    fn complete(fields: &mut Members, zone: &Zone) -> Option<String> {
        complete_event(fields, zone)
    }
}

/// Makes an event with days all-day, unless it says that it is not, and gives an event its end. Invalid dates stay for
/// the faults.
fn complete_event(fields: &mut Members, zone: &Zone) -> Option<String> {
    let value = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value);
    let time = |name: &str| value(name).and_then(Json::as_str).and_then(DateOrInstant::parse);
    let is_day = |time: DateOrInstant| matches!(time, DateOrInstant::On(_));
    let (start, has_end) = (time("startDate")?, value("endDate").is_some());
    let are_days = is_day(start) && if has_end { time("endDate").is_some_and(is_day) } else { true };
    let said = value("allDay").cloned();
    let named = value("timeZone").and_then(Json::as_str).and_then(|name| name.parse::<Zone>().ok());
    if said.is_none() && are_days {
        fields.push(("allDay".to_owned(), Json::Bool(true)));
    }
    if has_end {
        return None;
    }
    let (end, notice) = if said.map_or(are_days, |said| said == Json::Bool(true)) {
        let DateOrInstant::On(day) = start else { return None };
        (day.to_string(), "no end was given: one day")
    } else {
        let start = start.in_zone(named.as_ref().unwrap_or(zone));
        (start.saturating_add(DEFAULT_LENGTH).to_string(), "no end was given: one hour")
    };
    fields.push(("endDate".to_owned(), Json::String(end)));
    Some(notice.to_owned())
}

impl AddableRecord for Note {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Name or id.")];
}

impl AddableRecord for ShoppingItem {
    const DESCRIPTIONS: &'static [(&'static str, &'static str)] = &[("category", "Such as dairy.")];

    const CONTAINER: Option<(&'static str, Target)> = Some(("list", Target::List));

    async fn lists(context: &ToolContext) -> Result<Option<Vec<ShoppingList>>, Error> {
        context.api().read(context.caller())?.shopping_lists().await.map(Some)
    }

    fn into_item(self) -> Option<ShoppingItem> {
        Some(self)
    }

    fn put_in(new: New<ShoppingItemUpdate>, container: &str) -> New<ShoppingItemUpdate> {
        new.in_list(container.into())
    }
}

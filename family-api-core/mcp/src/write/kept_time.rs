//! The time of day that an event or a task keeps when a change names only its day.

use family_api_core::Timestamp;
use family_api_core::calendar::{Zone, parse_date};
use family_api_core::jiff::civil::{Date, DateTime, Time};
use family_api_core::occurrences::find_occurrence;
use family_api_core::query::Versioned;
use family_api_core::resource::{Event, Occurrence, RecordKind};
use family_api_core::validation::{Json, Reference};

use crate::arguments::Members;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::names;
use crate::write::changed::Completed;
use crate::write::event_target::EventTarget;

/// Adds the local time of a timed event, or of the occurrence that is named, to the dates of a change. A change that
/// makes the event all-day keeps its dates. Adds a notice about the time.
///
/// # Errors
/// [`ToolError::Correctable`] if the event is unknown. The error of the read.
pub(crate) async fn of_event(
    context: &ToolContext,
    target: &EventTarget,
    mut fields: Members,
) -> Result<Completed, ToolError> {
    let Some(first) = day(&fields, "startDate") else { return Ok(fields.into()) };
    if value(&fields, "allDay") == Some(&Json::Bool(true)) {
        return Ok(fields.into());
    }
    let (event, tag) = match context.api().read(context.caller())?.get_event(&target.event).await {
        Ok(Versioned { record, tag, .. }) => (record, Some(tag)),
        Err(error) => return Err(target.failed(error)),
    };
    if event.all_day {
        return Ok(Completed { fields, notices: Vec::new(), tag });
    }
    let named = value(&fields, "timeZone").and_then(Json::as_str).and_then(|name| name.parse::<Zone>().ok());
    let zone = named.as_ref().unwrap_or_else(|| context.zone());
    let (start, end) = shown(&event, target, context.zone());
    let (start, end) = (zone.local(start), zone.local(end));
    set(&mut fields, "startDate", first, start.time());
    let notices = vec![notice("startDate", start, "allDay true makes the event all-day")];
    if let Some(last) = day(&fields, "endDate") {
        // Models repeat the day to say that it is the only one. The event then keeps its length past midnight too.
        let (days, stored) = (first.duration_until(last), start.date().duration_until(end.date()));
        if days.is_zero() || days == stored {
            fields.retain(|(name, _)| name != "endDate");
        } else {
            set(&mut fields, "endDate", last, end.time());
        }
    }
    Ok(Completed { fields, notices, tag })
}

/// Adds the local time at which a task is due to the date of a change. A task that is due on a day stays so.
///
/// # Errors
/// [`ToolError::Correctable`] if the task is unknown. The error of the read.
pub(crate) async fn of_task(context: &ToolContext, id: &str, mut fields: Members) -> Result<Completed, ToolError> {
    let Some(date) = day(&fields, "dueDate") else { return Ok(fields.into()) };
    let (due, tag) = match context.api().read(context.caller())?.get_task(&Reference::from(id)).await {
        Ok(Versioned { record, tag, .. }) => (record.task.due_date, Some(tag)),
        Err(error) => return Err(ToolError::of_lookup(error, RecordKind::Task)),
    };
    let (zone, mut notices) = (context.zone(), Vec::new());
    if let Some(due) = due.filter(|due| !zone.is_start_of_day(*due)) {
        let due = zone.local(due);
        set(&mut fields, "dueDate", date, due.time());
        notices.push(notice("dueDate", due, "clear it first for a day without a time"));
    }
    Ok(Completed { fields, notices, tag })
}

/// Returns the start and the end of the occurrence that is named, or else of the event.
fn shown(event: &Event, target: &EventTarget, zone: &Zone) -> (Timestamp, Timestamp) {
    let occurrence = target.occurrence.as_ref().and_then(|named| find_occurrence(event, zone, named.start, &[]));
    let of_occurrence = |found: Occurrence| (found.start_date, found.end_date);
    occurrence.map_or((event.start_date, event.end_date), of_occurrence)
}

fn value<'a>(fields: &'a Members, name: &str) -> Option<&'a Json> {
    fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
}

/// Returns a field that is a day without a time.
fn day(fields: &Members, name: &str) -> Option<Date> {
    value(fields, name).and_then(Json::as_str).and_then(parse_date)
}

fn set(fields: &mut Members, name: &str, day: Date, time: Time) {
    for (_, value) in fields.iter_mut().filter(|(field, _)| field == name) {
        *value = Json::String(DateTime::from_parts(day, time).to_string());
    }
}

fn notice(field: &str, stored: DateTime, otherwise: &str) -> String {
    format!("{} has no time, so {} stays ({otherwise})", names::argument(field), stored.strftime("%H:%M"))
}

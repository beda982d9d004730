//! Changes of an occurrence and all later ones.

use crate::calendar::Zone;
use crate::change::Split;
use crate::change::event::occurrence::{Applied, DELETE_INSTEAD, Refusal, refused, set_series, shown, the_only};
use crate::change::event::series::overrides_of;
use crate::change::event::{EventChange, EventFacts};
use crate::id::EventId;
use crate::occurrences::edit::{end_before, split};
use crate::occurrences::locate::{Located, is_shown_before};
use crate::occurrences::{LocalStart, OccurrenceStart, Override, Overrides};
use crate::resource::Event;
use crate::validation::FieldFault;

/// Ends the event before an occurrence, and sets fields of another event that starts at it. If no occurrence would be
/// left before it, sets fields of the event itself. `zones` are those of the event and of the user who writes.
pub(super) fn set(
    start: OccurrenceStart,
    change: EventChange,
    new_id: Option<EventId>,
    facts: EventFacts,
    (zone, writer): (&Zone, &Zone),
) -> Result<Applied, Refusal> {
    let Some(new_id) = new_id else {
        return Err(refused("scope", "the events of this application are not split: expected `this` or `all`"));
    };
    let event = &facts.event;
    let located = the_only(start, &shown(event, zone, start))?;
    if change.is_empty() {
        return Ok(Applied::Kept(Box::new(facts.event)));
    }
    if is_first(event, &located, zone) {
        return set_series(&located, change, facts, zone, writer).map(Applied::changed);
    }
    let Some(recurrences) = split(event, zone, located.key) else {
        let detail = "the event cannot start here: use an occurrence that its rule makes, or `scope=this`";
        return Err(refused("start", detail));
    };
    let ended = Event {
        recurrence: Some(recurrences.before),
        overrides: some_overrides(event, |change| change.recurrence_id < located.key)?,
        ..event.clone()
    };
    let later = some_overrides(event, |change| change.recurrence_id >= located.key)?;
    let (start_date, end_date, recurrence) = (located.start, located.end, Some(recurrences.following));
    let mut event = Event { id: new_id, start_date, end_date, recurrence, overrides: later, ..facts.event };
    let first = Located { key: start_of(&event, zone), ..located };
    rename_override(&mut event, located.key, first.key)?;
    let following = set_series(&first, change, EventFacts { event, ..facts }, zone, writer)?;
    Ok(Applied::Changed(Box::new(Split { record: ended, new: Some(following) })))
}

/// Ends the event before an occurrence.
pub(super) fn end(start: OccurrenceStart, mut event: Event, zone: &Zone) -> Result<Applied, Refusal> {
    let located = the_only(start, &shown(&event, zone, start))?;
    if is_first(&event, &located, zone) {
        return Err(refused("scope", DELETE_INSTEAD));
    }
    let Some(recurrence) = end_before(&event, zone, located.key) else {
        return Err(refused("start", "the event has too many occurrences before this one"));
    };
    event.recurrence = Some(recurrence);
    event.overrides = some_overrides(&event, |change| change.recurrence_id < located.key)?;
    Ok(Applied::changed(event))
}

/// Returns whether no occurrence would be left before this one.
fn is_first(event: &Event, located: &Located, zone: &Zone) -> bool {
    // An imported change can be before the start, which would stay.
    located.start <= event.start_date || !is_shown_before(event, zone, located.key)
}

/// Returns some of the changed occurrences.
fn some_overrides(event: &Event, is_kept: impl Fn(&Override) -> bool) -> Result<Overrides, FieldFault> {
    overrides_of(event.overrides.as_slice().iter().filter(|change| is_kept(change)).cloned().collect())
}

/// Returns the start of the first occurrence, in the time zone of the event.
fn start_of(event: &Event, zone: &Zone) -> LocalStart {
    let start = zone.local(event.start_date);
    if event.all_day { start.date().into() } else { start.into() }
}

/// Gives a changed occurrence another start by the rule: the clock can skip the time of the first occurrence. Two changed
/// occurrences that the clock moves to the same time cannot have the same start.
fn rename_override(event: &mut Event, from: LocalStart, to: LocalStart) -> Result<(), FieldFault> {
    if from != to && event.overrides.find(from).is_some() {
        if event.overrides.find(to).is_some() {
            let detail = "the clock moves this occurrence to the time of another one, and both are changed: restore one of \
                          them first";
            return Err(FieldFault::of_field("start", detail));
        }
        let mut overrides = std::mem::take(&mut event.overrides).into_vec();
        for change in overrides.iter_mut().filter(|change| change.recurrence_id == from) {
            change.recurrence_id = to;
        }
        event.overrides = overrides_of(overrides)?;
    }
    Ok(())
}

//! Generates changes of single occurrences. Most of them are for occurrences that the rule of an event makes.

use family_api_core::Timestamp;
use family_api_core::calendar::{Zone, ZoneName};
use family_api_core::change::OccurrenceScope;
use family_api_core::occurrences::OccurrenceStart;
use family_api_core::storage::{EventRecord, Member, Record};
use jiff::SignedDuration;
use proptest::prelude::*;
use proptest::sample::select;

use super::change::occurrence_change;
use super::instant::{day, instant, zone};
use super::step::{any_id, if_match, member_and_record};
use crate::model::Model;
use crate::step::{OccurrenceAction, OccurrenceWrite, Operation};

pub(super) fn occurrence_write(model: &Model) -> BoxedStrategy<Operation> {
    let recurring = model.events.iter().filter(|event| event.recurrence.is_some());
    let occurrences: Vec<_> = recurring.flat_map(first_occurrences).collect();
    let visible = |member: &Member, (event, start): &(EventRecord, OccurrenceStart)| {
        let is_seen = model.can_see_record(member, &Record::Event(event.clone()));
        is_seen.then(|| (event.id.to_string(), *start))
    };
    let occurrence = member_and_record(model, &occurrences, visible, (any_id(), start()));
    let new_id = format!("s{}", model.writes + model.deleted.len());
    (occurrence, action(), if_match(), zone())
        .prop_map(move |((member, (id, start)), action, if_match, zone)| {
            let new_id = new_id.clone();
            Operation::ChangeOccurrence(member, OccurrenceWrite { id, start, action, if_match, zone, new_id })
        })
        .boxed()
}

/// Returns the days after the start of an event, on which a daily rule has occurrences.
fn first_occurrences(event: &EventRecord) -> Vec<(EventRecord, OccurrenceStart)> {
    let zone = event.time_zone.as_ref().and_then(ZoneName::zone).unwrap_or_else(Zone::utc);
    let after = |days: i64| event.start_date.saturating_add(SignedDuration::from_hours(24 * days));
    let of_day = |at: Timestamp| OccurrenceStart::Day(zone.local(at).date());
    let starts = (0..4).map(after).flat_map(|at| [OccurrenceStart::At(in_seconds(at)), of_day(at)]);
    let starts: Vec<_> = starts.collect();
    starts.into_iter().map(|start| (event.clone(), start)).collect()
}

fn in_seconds(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(-at.as_millis().rem_euclid(1_000)))
}

fn start() -> impl Strategy<Value = OccurrenceStart> {
    prop_oneof![instant().prop_map(|at| OccurrenceStart::At(in_seconds(at))), day().prop_map(OccurrenceStart::Day)]
}

fn action() -> impl Strategy<Value = OccurrenceAction> {
    let scope =
        select(&[OccurrenceScope::This, OccurrenceScope::This, OccurrenceScope::Following, OccurrenceScope::All][..]);
    let skipped = select(&[OccurrenceScope::This, OccurrenceScope::This, OccurrenceScope::Following][..]);
    prop_oneof![
        3 => (occurrence_change(), scope).prop_map(|(body, scope)| OccurrenceAction::Change(body, scope)),
        2 => skipped.prop_map(OccurrenceAction::Skip),
        1 => Just(OccurrenceAction::Restore),
    ]
}

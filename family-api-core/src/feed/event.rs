//! Writes an event: a single one, or a rule with its changed occurrences.

use std::ops::Range;

use jiff::SignedDuration;

use super::component::{Component, ComponentId, Moment, RuleLines, Time, Words};
use super::room::Unit;
use super::zones::EventZone;
use super::{FeedDetail, FeedView};
use crate::Timestamp;
use crate::occurrences::{LocalStart, Override, TooMuchWork, UnrolledOccurrence, UnrolledRule, Unroller};
use crate::resource::Event;
use crate::validation::Field;

/// Returns what the window has of an event, and how many single occurrences were left out, because there were too many.
/// A feed that shows only when has no occurrence that takes no time.
///
/// # Errors
/// [`TooMuchWork`] if its occurrences are not known.
pub(super) fn units<'a>(
    feed: &FeedView<'_>,
    event: &'a Event,
    zone: EventZone<'a>,
    window: &Range<Timestamp>,
    unroller: &mut Unroller,
) -> Result<(Vec<Unit<'a>>, usize), TooMuchWork> {
    let keeps_rule = event.all_day || zone.rules.is_some();
    let writer = Writer { feed, event, zone, words: Words::of_event(event) };
    let takes_time = writer.shows(None);
    if !takes_time && !event.overrides.as_slice().iter().any(|change| writer.shows(Some(change))) {
        return Ok((Vec::new(), 0));
    }
    let Some(occurrences) = unroller.unroll(event, zone.zone, window, keeps_rule)? else {
        let unit = || writer.single(None, event.start_date..event.end_date, None);
        let is_shown = takes_time && (event.end_date > feed.since || event.start_date >= feed.since);
        return Ok((is_shown.then(unit).into_iter().collect(), 0));
    };
    let mut units = Vec::new();
    let (changed, mut single): (Vec<_>, Vec<_>) =
        occurrences.occurrences.into_iter().partition(|occurrence| occurrence.is_of_rule);
    match occurrences.rule.filter(|_| takes_time) {
        Some(mut rule) => {
            let (shown, hidden): (Vec<_>, Vec<_>) =
                changed.into_iter().partition(|occurrence| writer.shows(occurrence.change));
            rule.excluded.extend(hidden.into_iter().map(|occurrence| occurrence.key));
            rule.excluded.sort_unstable();
            let mut components = vec![writer.rule(rule)];
            components.extend(shown.into_iter().map(|occurrence| writer.changed(&occurrence)));
            units.push(Unit::rule(feed, components));
        }
        // Without their rule, changed occurrences are single.
        None => single.extend(changed),
    }
    single.retain(|occurrence| writer.shows(occurrence.change));
    units.extend(single.into_iter().map(|occurrence| {
        writer.single(Some(occurrence.key), occurrence.start_date..occurrence.end_date, occurrence.change)
    }));
    Ok((units, occurrences.left_out))
}

fn moment(key: LocalStart) -> Moment {
    key.date_time().map_or(Moment::Day(key.date()), Moment::Local)
}

struct Writer<'f, 'a> {
    feed: &'f FeedView<'f>,
    event: &'a Event,
    zone: EventZone<'a>,
    words: Words<'a>,
}

impl<'a> Writer<'_, 'a> {
    /// Returns whether the feed shows the event, or an occurrence with a change.
    fn shows(&self, change: Option<&Override>) -> bool {
        self.feed.detail == FeedDetail::Full || !self.is_transparent(change)
    }

    /// Returns whether the event, or an occurrence with a change, takes no time.
    fn is_transparent(&self, change: Option<&Override>) -> bool {
        let event = self.event;
        let has_assignee = match change.map(|change| &change.assignee_id) {
            None | Some(Field::Keep) => event.assignee_id.is_some(),
            Some(Field::Clear) => false,
            Some(Field::Set(_)) => true,
        };
        let participants = change.and_then(|change| change.participant_ids.as_ref()).unwrap_or(&event.participant_ids);
        event.all_day && !has_assignee && participants.is_empty()
    }

    fn id(&self, occurrence: Option<LocalStart>) -> ComponentId<'a> {
        ComponentId { prefix: "e-", record: self.event.id.as_str(), occurrence }
    }

    /// Returns the event, or a single occurrence of it.
    fn single(&self, occurrence: Option<LocalStart>, time: Range<Timestamp>, change: Option<&'a Override>) -> Unit<'a> {
        let id = self.id(occurrence);
        let component = Component { id, ..self.component(self.time(time.start, time.end), change) };
        Unit::single(self.feed, component, time)
    }

    fn rule(&self, rule: UnrolledRule) -> Component<'a> {
        let excluded = rule.excluded.into_iter().map(moment).collect();
        let time = match rule.start.date_time() {
            None => self.time(rule.start_date, rule.end_date),
            Some(start) => {
                let length = rule.end_date.as_millis() - rule.start_date.as_millis();
                // The clock does not change during the first occurrence.
                let end =
                    self.zone.zone.local(rule.start_date).saturating_add(SignedDuration::from_millis(length.max(0)));
                Time::Times(Moment::Local(start), moment(end.into()))
            }
        };
        Component {
            rule: Some(RuleLines { text: rule.text, excluded }),
            zone: self.zone_name(),
            ..self.component(time, None)
        }
    }

    /// Returns a component that replaces an occurrence of the rule. Its dates are in UTC, because its local time can
    /// occur twice.
    fn changed(&self, occurrence: &UnrolledOccurrence<'a>) -> Component<'a> {
        Component {
            replaces: Some(moment(occurrence.key)),
            zone: self.zone_name(),
            ..self.component(self.time(occurrence.start_date, occurrence.end_date), occurrence.change)
        }
    }

    /// Returns the zone that the document must contain. UTC is one too: Home Assistant also shows the occurrence that a
    /// change replaces if the `RECURRENCE-ID` ends in `Z`.
    fn zone_name(&self) -> Option<&'a str> {
        (!self.event.all_day).then(|| self.zone.zone.as_str())
    }

    fn time(&self, start: Timestamp, end: Timestamp) -> Time {
        let zone = self.zone.zone;
        if self.event.all_day {
            let first = zone.local(start).date();
            return Time::Days(first, zone.last_day(start, end).max(first));
        }
        let whole = |at: Timestamp| Timestamp::from_millis(at.as_millis().div_euclid(1_000) * 1_000).unwrap_or(at);
        Time::Times(Moment::Utc(whole(start)), Moment::Utc(whole(end).max(whole(start))))
    }

    fn component(&self, time: Time, change: Option<&'a Override>) -> Component<'a> {
        let event = self.event;
        Component {
            id: self.id(None),
            updated_at: event.updated_at,
            sequence: event.sequence,
            time,
            zone: None,
            rule: None,
            replaces: None,
            is_transparent: self.is_transparent(change),
            words: change.map_or(self.words, |change| self.words.changed(change)),
        }
    }
}

//! When an occurrence takes the time of people.

use std::collections::HashMap;
use std::ops::Range;

use jiff::SignedDuration;

use crate::Timestamp;
use crate::calendar::{Zone, ZoneName};
use crate::id::UserId;
use crate::occurrences::OccurrenceRef;

/// When an occurrence takes time, and of whom.
///
/// A timed occurrence takes the time from its start to its end. One without length takes a millisecond. An all-day
/// occurrence takes its days, which are the same days for every reader, in the zone of the reader.
///
/// It takes the time of its assignee and its participants. A timed occurrence without any takes the time of the whole
/// family. An all-day occurrence without any takes no time: it only [marks its days](Self::marks_days), such as a
/// birthday or a holiday.
#[derive(Debug)]
pub(super) struct Busy<'o, 'e> {
    pub(super) occurrence: &'o OccurrenceRef<'e>,
    pub(super) time: Range<Timestamp>,
    /// The assignee and the participants. Empty for the whole family.
    pub(super) people: Vec<&'e UserId>,
}

impl<'o, 'e> Busy<'o, 'e> {
    pub(super) fn of(occurrence: &'o OccurrenceRef<'e>, reader: &Zone) -> Self {
        let people = occurrence.assignee_id().into_iter().chain(occurrence.participant_ids()).collect();
        Self { occurrence, time: time(occurrence, reader), people }
    }

    /// Returns whether the occurrence takes no time, but concerns its days.
    pub(super) fn marks_days(&self) -> bool {
        self.people.is_empty() && self.occurrence.is_all_day()
    }

    pub(super) fn overlaps(&self, other: &Range<Timestamp>) -> bool {
        overlap(&self.time, other)
    }
}

/// Returns whether two times have a moment in common. Neither is empty.
pub(super) fn overlap(one: &Range<Timestamp>, other: &Range<Timestamp>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Returns the time that an occurrence takes.
pub(super) fn time(occurrence: &OccurrenceRef<'_>, reader: &Zone) -> Range<Timestamp> {
    let (start, end) = (occurrence.start(), occurrence.end());
    if !occurrence.is_all_day() {
        return start..end.max(start.saturating_add(SignedDuration::from_millis(1)));
    }
    let own = occurrence.event().time_zone.as_ref().and_then(ZoneName::zone);
    let own = own.as_ref().unwrap_or(reader);
    let next = own.last_day(start, end).tomorrow();
    reader.start_of_day(own.local(start).date())..next.map_or(Timestamp::MAX, |next| reader.start_of_day(next))
}

/// Numbers people, so that many lists of them are compared quickly.
#[derive(Debug, Default)]
pub(super) struct Crowd<'e>(HashMap<&'e UserId, usize>);

/// A list of people as sorted numbers. Empty for the whole family.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct People(Vec<usize>);

impl<'e> Crowd<'e> {
    pub(super) fn number(&mut self, people: &[&'e UserId]) -> People {
        let mut numbers = Vec::with_capacity(people.len());
        for id in people {
            let next = self.0.len();
            numbers.push(*self.0.entry(*id).or_insert(next));
        }
        numbers.sort_unstable();
        People(numbers)
    }
}

impl People {
    /// Returns whether a person is in both lists.
    pub(super) fn share(&self, other: &Self) -> bool {
        let is_shared = |number: &usize| other.0.binary_search(number).is_ok();
        self.0.is_empty() || other.0.is_empty() || self.0.iter().any(is_shared)
    }
}

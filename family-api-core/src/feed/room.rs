//! Bounds the size of a document.

use std::cmp::Reverse;
use std::ops::Range;

use jiff::SignedDuration;

use super::FeedView;
use super::component::Component;
use crate::Timestamp;

/// The maximum number of events in a document. Each changed or single occurrence of a recurring event is one.
pub const MAX_COMPONENTS: usize = 5_000;

/// The maximum size of all events of a document, in bytes. The head of the calendar and its time zones, each once, are
/// not part of it.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// If not everything fits, rules have one of this number of equal parts of each bound.
const PARTS: usize = 2;

/// What ends within this number of days from the start of the window is past. It lies at least as far back.
const PAST_DAYS: i64 = 90;

/// Components that are written or left out together: a single one, or a rule with its changed occurrences.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub(super) components: Vec<Component<'a>>,
    /// Its place among the others.
    pub(super) position: usize,
    /// When a single one takes place. `None` for a rule.
    time: Option<Range<Timestamp>>,
    /// An upper bound of the bytes that are written.
    bytes: usize,
}

/// What is removed first, in order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A rule, by its size: the largest first.
    Rule(Reverse<usize>),
    /// A single one that is past, by its end.
    Past(Timestamp),
    /// Any other single one, by its start: the last first.
    Next(Reverse<Timestamp>),
}

impl<'a> Unit<'a> {
    pub(super) fn single(feed: &FeedView<'_>, component: Component<'a>, time: Range<Timestamp>) -> Self {
        Self::new(feed, vec![component], Some(time))
    }

    pub(super) fn rule(feed: &FeedView<'_>, components: Vec<Component<'a>>) -> Self {
        Self::new(feed, components, None)
    }

    fn new(feed: &FeedView<'_>, components: Vec<Component<'a>>, time: Option<Range<Timestamp>>) -> Self {
        let bytes = components.iter().map(|component| component.bytes(feed)).sum();
        Self { components, position: 0, time, bytes }
    }

    pub(super) fn at(self, position: usize) -> Self {
        Self { position, ..self }
    }

    fn rank(&self, past: Timestamp) -> Rank {
        match &self.time {
            None => Rank::Rule(Reverse(self.bytes.max(self.components.len() * (MAX_BYTES / MAX_COMPONENTS)))),
            Some(time) if time.end < past => Rank::Past(time.end),
            Some(time) => Rank::Next(Reverse(time.start)),
        }
    }
}

/// The size of several units.
#[derive(Debug, Default, Clone, Copy)]
struct Size {
    components: usize,
    bytes: usize,
}

impl Size {
    fn of<'u, 'a: 'u>(units: impl Iterator<Item = &'u Unit<'a>>) -> Self {
        units.fold(Self::default(), |size, unit| Self {
            components: size.components + unit.components.len(),
            bytes: size.bytes + unit.bytes,
        })
    }

    /// Returns whether the size is more than one of a number of equal parts of the maximum.
    fn exceeds(self, parts: usize) -> bool {
        self.components > MAX_COMPONENTS / parts || self.bytes > MAX_BYTES / parts
    }

    fn remove(&mut self, unit: &Unit<'_>) {
        self.components -= unit.components.len();
        self.bytes -= unit.bytes;
    }
}

/// Returns the number of components.
pub(super) fn count(units: &[Unit<'_>]) -> usize {
    Size::of(units.iter()).components
}

/// Returns an upper bound of the bytes that are written.
pub(super) fn bytes(units: &[Unit<'_>]) -> usize {
    Size::of(units.iter()).bytes
}

/// Removes units until the others fit: the largest rules, until rules have half of the room, then the single ones that
/// are past, from the first one on, then those that start last. Returns the number of removed components.
pub(super) fn make_room(units: &mut Vec<Unit<'_>>, since: Timestamp) -> usize {
    let mut all = Size::of(units.iter());
    if !all.exceeds(1) {
        return 0;
    }
    let before = all.components;
    let mut rules = Size::of(units.iter().filter(|unit| unit.time.is_none()));
    let past = since.saturating_add(SignedDuration::from_hours(24 * PAST_DAYS));
    let mut order: Vec<_> =
        units.iter().enumerate().map(|(index, unit)| (unit.rank(past), Reverse((unit.position, index)))).collect();
    order.sort_unstable();
    let mut is_removed = vec![false; units.len()];
    for (_, Reverse((_, index))) in order {
        if !all.exceeds(1) {
            break;
        }
        let (Some(unit), Some(is_removed)) = (units.get(index), is_removed.get_mut(index)) else { continue };
        if unit.time.is_none() {
            if !rules.exceeds(PARTS) {
                continue;
            }
            rules.remove(unit);
        }
        all.remove(unit);
        *is_removed = true;
    }
    let mut is_removed = is_removed.into_iter();
    units.retain(|_| !is_removed.next().unwrap_or_default());
    before - all.components
}

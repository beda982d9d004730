//! Bounds the work of a query.

use super::MAX_RECURRENCE_LENGTH;

/// The maximum number of steps for the events of one query.
const MAX_STEPS_OF_QUERY: u32 = 1_000_000;
/// The maximum number of steps for one event. It is enough to count the occurrences of 50 years.
const MAX_STEPS_OF_EVENT: u32 = 40_000;

/// The maximum number of steps for all events of a feed: about 200 ms.
const MAX_STEPS_OF_FEED: u32 = 2_000_000;

/// The maximum number of steps of a write: about 40 ms.
const MAX_STEPS_OF_WRITE: u32 = 400_000;

/// The steps of a visited occurrence. It is resolved in the zone, which takes longer than the test of a day.
const STEPS_OF_VISIT: u32 = 5;

/// The bytes of a recurrence that one step parses. The shortest moment has 8 bytes, and takes two steps.
const BYTES_PER_STEP: usize = 4;

/// Counts steps: a step tests a day, begins a period or parses some bytes. It takes less than 0.1 µs.
#[derive(Debug)]
pub(super) struct Steps {
    of_query: u32,
    of_event: u32,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self { of_query: MAX_STEPS_OF_QUERY, of_event: MAX_STEPS_OF_EVENT }
    }

    /// The steps of a write that splits one event. They are enough for the highest `COUNT` of every week or month.
    pub(super) fn of_write() -> Self {
        Self { of_event: MAX_STEPS_OF_WRITE, ..Self::new() }
    }

    /// The steps of a feed, which has all events of a family.
    pub(super) fn of_feed() -> Self {
        Self { of_query: MAX_STEPS_OF_FEED, of_event: 0 }
    }

    /// Begins the next event of a feed. Those of a `COUNT` are enough to find its last occurrence.
    pub(super) fn begin_event_of_feed(&mut self, has_count: bool) {
        self.of_event = if has_count { MAX_STEPS_OF_WRITE } else { MAX_STEPS_OF_EVENT };
    }

    /// Begins the next event of the query.
    pub(super) fn begin_event(&mut self) {
        self.of_event = MAX_STEPS_OF_EVENT;
    }

    /// Takes the steps of a visited occurrence, or returns `None` if there are not enough left.
    pub(super) fn take_visit(&mut self) -> Option<()> {
        self.take_visits(1)
    }

    /// Takes the steps of several visited occurrences, or returns `None` if there are not enough left.
    pub(super) fn take_visits(&mut self, visits: usize) -> Option<()> {
        self.take_many(STEPS_OF_VISIT.checked_mul(visits.try_into().ok()?)?)
    }

    /// Takes the steps of parsing a recurrence, or returns `None` if there are not enough left. A text that is too long
    /// is refused by its length.
    pub(super) fn take_text(&mut self, text: &str) -> Option<()> {
        let bytes = text.len().min(MAX_RECURRENCE_LENGTH);
        self.take_many((bytes / BYTES_PER_STEP).try_into().ok()?)
    }

    /// Takes a step, or returns `None` if there is none left.
    pub(super) fn take(&mut self) -> Option<()> {
        self.take_many(1)
    }

    #[cfg(test)]
    pub(super) fn taken(&self) -> u32 {
        MAX_STEPS_OF_QUERY - self.of_query
    }

    fn take_many(&mut self, steps: u32) -> Option<()> {
        self.of_event = self.of_event.checked_sub(steps)?;
        self.of_query = self.of_query.checked_sub(steps)?;
        Some(())
    }
}

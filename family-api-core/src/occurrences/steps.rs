//! Bounds the work of a query.

/// The maximum number of steps for the events of one query.
const MAX_STEPS_OF_QUERY: u32 = 1_000_000;
/// The maximum number of steps for one event. It is enough to count the occurrences of 50 years.
const MAX_STEPS_OF_EVENT: u32 = 40_000;

/// The steps of a visited occurrence. It is resolved in the zone, which takes longer than the test of a day.
const STEPS_OF_VISIT: u32 = 5;

/// Counts steps: a step tests a day or begins a period. It takes less than 0.1 µs.
#[derive(Debug)]
pub(super) struct Steps {
    of_query: u32,
    of_event: u32,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self { of_query: MAX_STEPS_OF_QUERY, of_event: MAX_STEPS_OF_EVENT }
    }

    /// Begins the next event of the query.
    pub(super) fn begin_event(&mut self) {
        self.of_event = MAX_STEPS_OF_EVENT;
    }

    /// Takes the steps of a visited occurrence, or returns `None` if there are not enough left.
    pub(super) fn take_visit(&mut self) -> Option<()> {
        self.take_many(STEPS_OF_VISIT)
    }

    /// Takes a step, or returns `None` if there is none left.
    pub(super) fn take(&mut self) -> Option<()> {
        self.take_many(1)
    }

    fn take_many(&mut self, steps: u32) -> Option<()> {
        self.of_event = self.of_event.checked_sub(steps)?;
        self.of_query = self.of_query.checked_sub(steps)?;
        Some(())
    }
}

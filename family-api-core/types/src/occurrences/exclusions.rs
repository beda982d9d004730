//! The occurrences that the `EXDATE` lines of a recurrence exclude, resolved in a zone.

use jiff::civil::{Date, DateTime};

use super::moment::Moment;
use crate::calendar::Zone;
use crate::timestamp::Timestamp;

/// The excluded occurrences of one event. Each list is sorted, so that a lookup is a binary search: an event may have
/// hundreds of exclusions and hundreds of occurrences.
#[derive(Debug, Default)]
pub(super) struct Exclusions {
    days: Vec<Date>,
    /// Local times without a fraction of a second.
    local_times: Vec<DateTime>,
    /// Instants in whole seconds.
    instants: Vec<i64>,
}

impl Exclusions {
    /// Resolves the exclusions of a timed event. A whole day excludes every occurrence of that local day.
    pub(super) fn of_timed(excluded: &[Moment], zone: &Zone) -> Self {
        let mut exclusions = Self::default();
        for moment in excluded {
            match moment {
                Moment::Day(day) => exclusions.days.push(*day),
                // Compared as a local time too, because it may occur twice, and resolves to the first instant.
                Moment::Local(local) => exclusions.local_times.push(*local),
                Moment::Utc(_) | Moment::Zoned(..) => {}
            }
            exclusions.instants.extend(moment.instant(zone).map(seconds));
        }
        exclusions.sorted()
    }

    /// Resolves the exclusions of an all-day event.
    pub(super) fn of_all_day(excluded: &[Moment], zone: &Zone) -> Self {
        Self { days: excluded.iter().map(|moment| moment.day(zone)).collect(), ..Self::default() }.sorted()
    }

    fn sorted(mut self) -> Self {
        self.days.sort_unstable();
        self.local_times.sort_unstable();
        self.instants.sort_unstable();
        self
    }

    /// Tells whether an occurrence of a timed event is excluded.
    pub(super) fn has_start(&self, local: DateTime, at: Timestamp) -> bool {
        self.instants.binary_search(&seconds(at)).is_ok()
            || self.has_day(local.date())
            || self.local_times.binary_search(&whole_seconds(local)).is_ok()
    }

    /// Tells whether a day is excluded.
    pub(super) fn has_day(&self, day: Date) -> bool {
        self.days.binary_search(&day).is_ok()
    }
}

/// Returns an instant in whole seconds, because a moment has no fraction of a second.
pub(super) fn seconds(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(1_000)
}

/// Returns a local time without its fraction of a second.
pub(super) fn whole_seconds(local: DateTime) -> DateTime {
    local.with().subsec_nanosecond(0).build().unwrap_or(local)
}

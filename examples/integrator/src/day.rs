//! A calendar day in the user's time zone.

use std::ops::Range;

use family_api_client::calendar::Zone;
use family_api_client::{Date, Timestamp};

/// A day, from its first instant to the first instant of the next day.
#[derive(Debug)]
pub(crate) struct Day {
    pub(crate) date: Date,
    pub(crate) instants: Range<Timestamp>,
    zone: Zone,
}

impl Day {
    /// Returns the day that contains `now` in this time zone.
    pub(crate) fn of(now: Timestamp, zone: Zone) -> Self {
        let date = zone.day_of(now);
        let tomorrow = date.tomorrow().unwrap_or(date);
        Self { date, instants: zone.start_of_day(date)..zone.start_of_day(tomorrow), zone }
    }

    /// Returns the date in words, for example `Saturday, 21 November 2026`.
    pub(crate) fn title(&self) -> String {
        self.date.strftime("%A, %-d %B %Y").to_string()
    }

    /// Returns the local time, for example `16:30`.
    pub(crate) fn time(&self, at: Timestamp) -> String {
        self.zone.local(at).strftime("%H:%M").to_string()
    }

    /// Returns a date such as `22 Nov`, or `22 Nov 2027` if its year differs from the year of this day.
    pub(crate) fn short_date(&self, at: Timestamp) -> String {
        let date = self.zone.local(at).date();
        let format = if date.year() == self.date.year() { "%-d %b" } else { "%-d %b %Y" };
        date.strftime(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(now: &str, zone: &str) -> Day {
        Day::of(now.parse().unwrap(), zone.parse().unwrap())
    }

    #[test]
    fn day_depends_on_the_time_zone() {
        for (zone, title, begin, end) in [
            ("UTC", "Friday, 20 November 2026", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"),
            ("Europe/Kyiv", "Saturday, 21 November 2026", "2026-11-20T22:00:00.000Z", "2026-11-21T22:00:00.000Z"),
            ("America/Lima", "Friday, 20 November 2026", "2026-11-20T05:00:00.000Z", "2026-11-21T05:00:00.000Z"),
        ] {
            let day = day("2026-11-20T22:30:00Z", zone);
            assert_eq!(day.title(), title);
            let instants = [day.instants.start, day.instants.end].map(|at| at.to_string());
            assert_eq!(instants, [begin, end]);
        }
    }

    #[test]
    fn days_with_a_clock_change_have_23_or_25_hours() {
        let hours = |day: &Day| (day.instants.end.as_millis() - day.instants.start.as_millis()) / 3_600_000;
        let autumn = day("2026-10-25T12:00:00Z", "Europe/Madrid");
        assert_eq!((hours(&autumn), autumn.time("2026-10-25T16:00:00Z".parse().unwrap()).as_str()), (25, "17:00"));
        let spring = day("2026-03-29T12:00:00Z", "Europe/Madrid");
        assert_eq!((hours(&spring), spring.time("2026-03-29T16:00:00Z".parse().unwrap()).as_str()), (23, "18:00"));
        // In Santiago, the clock changes at midnight, so this day starts at 01:00.
        let santiago = day("2026-09-06T12:00:00Z", "America/Santiago");
        assert_eq!((hours(&santiago), santiago.time(santiago.instants.start).as_str()), (23, "01:00"));
    }

    #[test]
    fn short_date_has_a_year_unless_it_is_this_year() {
        let day = day("2026-12-31T12:00:00Z", "UTC");
        assert_eq!(day.short_date("2026-12-01T00:00:00Z".parse().unwrap()), "1 Dec");
        assert_eq!(day.short_date("2027-01-01T00:00:00Z".parse().unwrap()), "1 Jan 2027");
    }
}

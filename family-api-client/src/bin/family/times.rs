//! Instants for people.

use family_api_client::calendar::Zone;
use family_api_client::resource::Profile;
use family_api_client::{Call, Timestamp};
use jiff::SignedDuration;
use jiff::tz::TimeZone;

use crate::output;

/// Shows instants as the clock of one time zone does.
pub(crate) struct Times(Zone);

impl Times {
    /// The time zone of a profile, in which the family's days begin and end.
    pub(crate) fn of(profile: Call<Profile>) -> Self {
        profile.wait().map_or_else(
            |error| {
                // What was done is shown all the same.
                output::complain(&[format!("the times are those of this machine: {error}")]);
                Self::local()
            },
            |profile| Self(profile.time_zone),
        )
    }

    /// The time zone of whoever runs the command.
    pub(crate) fn local() -> Self {
        Self(TimeZone::system().iana_name().and_then(|name| name.parse().ok()).unwrap_or_else(Zone::utc))
    }

    /// `2026-11-20 10:15`.
    pub(crate) fn minute(&self, at: Timestamp) -> String {
        self.format(at, "%Y-%m-%d %H:%M")
    }

    /// `2026-11-20`.
    pub(crate) fn day(&self, at: Timestamp) -> String {
        self.format(at, "%Y-%m-%d")
    }

    /// The last day of what begins and ends then; an end at midnight is that of the day before.
    pub(crate) fn last_day(&self, from: Timestamp, to: Timestamp) -> String {
        self.day(to.saturating_add(SignedDuration::from_millis(-1)).max(from))
    }

    /// [`minute`](Self::minute), if there is an instant.
    pub(crate) fn any(&self, at: Option<Timestamp>) -> String {
        at.map(|at| self.minute(at)).unwrap_or_default()
    }

    fn format(&self, at: Timestamp, format: &str) -> String {
        self.0.local(at).strftime(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_shown_as_the_clock_of_the_zone_shows_it() {
        let times = Times("Europe/Madrid".parse().unwrap());
        assert_eq!(times.minute("2026-11-20T23:30:00Z".parse().unwrap()), "2026-11-21 00:30");
        assert_eq!(times.day("2026-07-20T22:00:00Z".parse().unwrap()), "2026-07-21");
        let last_day = |to: &str| times.last_day("2026-11-20T23:00:00Z".parse().unwrap(), to.parse().unwrap());
        assert_eq!(last_day("2026-11-20T23:00:00Z"), "2026-11-21");
        assert_eq!(last_day("2026-11-21T23:00:00Z"), "2026-11-21");
        assert_eq!(last_day("2026-11-21T23:00:01Z"), "2026-11-22");
        assert_eq!(times.any(None), "");
        assert_eq!(times.minute(Timestamp::MAX), "9999-12-31 23:59");
    }
}

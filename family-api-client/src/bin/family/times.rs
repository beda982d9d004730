//! Times in tables.

use family_api_client::calendar::Zone;
use family_api_client::resource::Profile;
use family_api_client::{Call, Timestamp};
use jiff::tz::TimeZone;

use crate::messages::print_messages;

/// Formats instants in one time zone.
pub(crate) struct Times(Zone);

impl Times {
    /// Requests the profile and uses its time zone. If the request fails, prints a message and uses the time zone of
    /// this machine.
    pub(crate) fn from_profile(profile: Call<Profile>) -> Self {
        profile.wait().map_or_else(
            |error| {
                // The record was already read or changed, so it is shown anyway.
                print_messages(&[format!("times are in the time zone of this machine: {error}")]);
                Self::local()
            },
            |profile| Self(profile.time_zone),
        )
    }

    /// Uses the time zone of this machine, or UTC if the time zone is unknown.
    pub(crate) fn local() -> Self {
        Self(TimeZone::system().iana_name().and_then(|name| name.parse().ok()).unwrap_or_else(Zone::utc))
    }

    /// Formats an instant to the minute: `2026-11-20 10:15`.
    pub(crate) fn date_and_time(&self, at: Timestamp) -> String {
        self.format(at, "%Y-%m-%d %H:%M")
    }

    /// Formats the day of an instant: `2026-11-20`.
    pub(crate) fn day(&self, at: Timestamp) -> String {
        self.format(at, "%Y-%m-%d")
    }

    /// Returns the last day of an all-day event.
    pub(crate) fn last_day(&self, from: Timestamp, to: Timestamp) -> String {
        self.0.last_day(from, to).to_string()
    }

    /// Returns the [`date_and_time`](Self::date_and_time), or an empty text for `None`.
    pub(crate) fn date_and_time_or_empty(&self, at: Option<Timestamp>) -> String {
        at.map(|at| self.date_and_time(at)).unwrap_or_default()
    }

    fn format(&self, at: Timestamp, format: &str) -> String {
        self.0.local(at).strftime(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_formatted_in_the_time_zone() {
        let times = Times("Europe/Madrid".parse().unwrap());
        assert_eq!(times.date_and_time("2026-11-20T23:30:00Z".parse().unwrap()), "2026-11-21 00:30");
        assert_eq!(times.day("2026-07-20T22:00:00Z".parse().unwrap()), "2026-07-21");
        let last_day = |to: &str| times.last_day("2026-11-20T23:00:00Z".parse().unwrap(), to.parse().unwrap());
        assert_eq!(last_day("2026-11-20T23:00:00Z"), "2026-11-21");
        assert_eq!(last_day("2026-11-21T23:00:00Z"), "2026-11-21");
        assert_eq!(last_day("2026-11-21T23:00:01Z"), "2026-11-22");
        assert_eq!(times.date_and_time_or_empty(None), "");
        assert_eq!(times.date_and_time(Timestamp::MAX), "9999-12-31 23:59");
    }
}

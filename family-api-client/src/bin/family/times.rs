//! Times in tables.

use family_api_client::calendar::{Zone, ZoneName};
use family_api_client::resource::Profile;
use family_api_client::{Call, Timestamp};
use jiff::tz::TimeZone;

use crate::messages::print_messages;

/// Formats instants in one time zone.
pub(crate) struct Times {
    zone: Zone,
    /// Whether each time and day shows its offset, because the zone is not the one of the profile.
    has_offset: bool,
}

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
            |profile| Self { zone: profile.time_zone, has_offset: false },
        )
    }

    /// Uses the time zone of this machine, or UTC if the time zone is unknown. Each time and day shows its
    /// offset.
    pub(crate) fn local() -> Self {
        let zone = TimeZone::system().iana_name().and_then(|name| name.parse().ok()).unwrap_or_else(Zone::utc);
        Self { zone, has_offset: true }
    }

    /// Formats an instant to the minute: `2026-11-20 10:15`, or `2026-11-20 10:15 +01:00` with its offset.
    pub(crate) fn date_and_time(&self, at: Timestamp) -> String {
        self.with_offset(self.format(at, "%Y-%m-%d %H:%M"), at)
    }

    fn with_offset(&self, time: String, at: Timestamp) -> String {
        if self.has_offset { format!("{time} {}", self.offset(at)) } else { time }
    }

    fn offset(&self, at: Timestamp) -> String {
        let minutes = self.zone.local(at).duration_since(Zone::utc().local(at)).as_mins();
        let sign = if minutes < 0 { '-' } else { '+' };
        format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
    }

    /// Formats the day of an instant: `2026-11-20`, or `2026-11-20 +01:00` with its offset.
    pub(crate) fn day(&self, at: Timestamp) -> String {
        self.with_offset(self.format(at, "%Y-%m-%d"), at)
    }

    /// Returns the first and the last day of an all-day event. They are days of the zone of the event, and have no
    /// offset then. If the event has no zone, they are days of this one.
    pub(crate) fn days(&self, from: Timestamp, to: Timestamp, event_zone: Option<&ZoneName>) -> [String; 2] {
        match event_zone.and_then(ZoneName::zone) {
            Some(zone) => [zone.local(from).date(), zone.last_day(from, to)].map(|day| day.to_string()),
            None => [self.day(from), self.with_offset(self.zone.last_day(from, to).to_string(), to)],
        }
    }

    /// Returns the [`date_and_time`](Self::date_and_time), or an empty text for `None`.
    pub(crate) fn date_and_time_or_empty(&self, at: Option<Timestamp>) -> String {
        at.map(|at| self.date_and_time(at)).unwrap_or_default()
    }

    fn format(&self, at: Timestamp, format: &str) -> String {
        self.zone.local(at).strftime(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_formatted_in_the_time_zone() {
        let times = Times { zone: "Europe/Madrid".parse().unwrap(), has_offset: false };
        assert_eq!(times.date_and_time("2026-11-20T23:30:00Z".parse().unwrap()), "2026-11-21 00:30");
        assert_eq!(times.day("2026-07-20T22:00:00Z".parse().unwrap()), "2026-07-21");
        let days = |to: &str| times.days("2026-11-20T23:00:00Z".parse().unwrap(), to.parse().unwrap(), None);
        assert_eq!(days("2026-11-20T23:00:00Z"), ["2026-11-21", "2026-11-21"]);
        assert_eq!(days("2026-11-21T23:00:00Z"), ["2026-11-21", "2026-11-21"]);
        assert_eq!(days("2026-11-21T23:00:01Z"), ["2026-11-21", "2026-11-22"]);
        assert_eq!(times.date_and_time_or_empty(None), "");
        assert_eq!(times.date_and_time(Timestamp::MAX), "9999-12-31 23:59");
    }

    #[test]
    fn an_all_day_event_has_the_days_of_its_own_zone() {
        // 2 March in Kyiv.
        let (from, to) = ("2026-03-01T22:00:00Z".parse().unwrap(), "2026-03-02T22:00:00Z".parse().unwrap());
        for (zone, has_offset) in [("Europe/Kyiv", false), ("America/New_York", false), ("Australia/Lord_Howe", true)] {
            let times = Times { zone: zone.parse().unwrap(), has_offset };
            let days = times.days(from, to, Some(&"Europe/Kyiv".parse().unwrap()));
            assert_eq!(days, ["2026-03-02", "2026-03-02"], "{zone}");
        }
    }

    #[test]
    fn times_in_the_zone_of_the_machine_show_their_offset() {
        for (zone, shown) in [
            ("Europe/Madrid", "2026-07-20 12:00 +02:00"),
            ("America/Lima", "2026-07-20 05:00 -05:00"),
            ("America/St_Johns", "2026-07-20 07:30 -02:30"),
            ("UTC", "2026-07-20 10:00 +00:00"),
        ] {
            let times = Times { zone: zone.parse().unwrap(), has_offset: true };
            let at = "2026-07-20T10:00:00Z".parse().unwrap();
            assert_eq!(times.date_and_time(at), shown);
            let (day, offset) = (&shown[..10], &shown[17..]);
            assert_eq!(times.day(at), format!("{day} {offset}"));
            let shown = format!("{day} {offset}");
            assert_eq!(times.days(at, at, None), [shown.clone(), shown]);
        }
    }
}

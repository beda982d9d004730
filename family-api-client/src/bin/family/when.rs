//! Times in arguments.

use family_api_client::calendar::parse_date;
use family_api_client::change::DateOrInstant;
use family_api_client::resource::Profile;
use family_api_client::{Call, Date, Timestamp};
use jiff::civil::DateTime;

use crate::failure::Failure;

/// A time in an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// `2026-12-24T18:00:00+01:00`
    At(Timestamp),
    /// `2026-12-24`, a day in the time zone of the profile.
    On(Date),
    /// `2026-12-24T18:00`, in the time zone of the profile.
    Local(DateTime),
}

/// Parses a calendar day.
pub(crate) fn parse_day(text: &str) -> Result<Date, &'static str> {
    parse_date(text).ok_or("expected a day, YYYY-MM-DD")
}

/// Parses a time. A space can separate the day and the time of day.
pub(crate) fn parse_when(text: &str) -> Result<When, &'static str> {
    let local = || DateTime::strptime("%Y-%m-%dT%H:%M", text.replacen(' ', "T", 1)).ok().map(When::Local);
    let day = parse_date(text).map(When::On);
    let when = day.or_else(|| text.parse().ok().map(When::At)).or_else(local);
    when.ok_or("expected YYYY-MM-DD, YYYY-MM-DDTHH:MM or an RFC 3339 time")
}

impl When {
    /// Returns the time as requests contain it. Sends the call for the profile only if its time zone is needed.
    pub(crate) fn resolve(self, profile: impl FnOnce() -> Call<Profile>) -> Result<DateOrInstant, Failure> {
        match self {
            Self::On(day) => Ok(day.into()),
            Self::At(_) | Self::Local(_) => Ok(self.instant(profile)?.into()),
        }
    }

    /// Returns the instant. A day is its start. Sends the call for the profile only if its time zone is needed.
    pub(crate) fn instant(self, profile: impl FnOnce() -> Call<Profile>) -> Result<Timestamp, Failure> {
        match self {
            Self::At(at) => Ok(at),
            Self::On(day) => Ok(profile().wait()?.time_zone.start_of_day(day)),
            Self::Local(time) => {
                let at = profile().wait()?.time_zone.resolve(time);
                at.ok_or_else(|| Failure::Usage(format!("{time} is not in the years 0001 to 9999")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_local_times_and_instants_are_parsed() {
        let local = When::Local("2026-12-24T18:00".parse().unwrap());
        assert_eq!(parse_when("2026-12-24"), Ok(When::On("2026-12-24".parse().unwrap())));
        assert_eq!((parse_when("2026-12-24T18:00"), parse_when("2026-12-24 18:00")), (Ok(local), Ok(local)));
        let instant = When::At("2026-12-24T17:00:00Z".parse().unwrap());
        assert_eq!(parse_when("2026-12-24T18:00:00+01:00"), Ok(instant));
        for bad in ["", "tomorrow", "20261224", "2026-02-30", "2026-12-24T18:00+01:00", "2026-12-24T25:00", "18:00"] {
            assert!(parse_when(bad).is_err(), "{bad}");
        }
    }
}

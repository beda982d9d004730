//! Times in arguments.

use family_api_client::Date;
use family_api_client::calendar::parse_date;
use family_api_client::change::DateOrInstant;

/// Parses a calendar day.
pub(crate) fn parse_day(text: &str) -> Result<Date, &'static str> {
    parse_date(text).ok_or("expected a day, YYYY-MM-DD")
}

/// Parses a time. A space can separate the day and the time of day.
pub(crate) fn parse_when(text: &str) -> Result<DateOrInstant, &'static str> {
    let when = DateOrInstant::parse(&text.replacen(' ', "T", 1));
    when.ok_or("expected YYYY-MM-DD, YYYY-MM-DDTHH:MM or an RFC 3339 time")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_can_separate_the_day_and_the_time() {
        let local = DateOrInstant::Local("2026-12-24T18:00".parse().unwrap());
        assert_eq!(parse_when("2026-12-24"), Ok(DateOrInstant::On("2026-12-24".parse().unwrap())));
        assert_eq!((parse_when("2026-12-24T18:00"), parse_when("2026-12-24 18:00")), (Ok(local), Ok(local)));
        assert_eq!(parse_when("2026-12-24 18:00:00+01:00"), parse_when("2026-12-24T18:00+01:00"));
        for bad in ["", "tomorrow", "20261224", "2026-02-30", "2026-12-24  18:00", "2026-12-24T25:00", "18:00"] {
            assert!(parse_when(bad).is_err(), "{bad}");
        }
    }
}

//! Checks the server's clock.

use std::time::UNIX_EPOCH;

use family_api_client::Timestamp;
use family_api_client::reqwest::header::DATE;

use super::probe::Answer;
use super::report::Check;

const CLOCK: &str = "clock";
/// The maximum difference, which includes the time that the answer took.
const MAX_DIFFERENCE_SECONDS: u64 = 60;

/// Compares the header `Date` of an answer with the clock of this machine.
pub(crate) fn judge(answer: &Answer, now: Timestamp) -> Check {
    judge_date(answer.header(DATE), now)
}

fn judge_date(date: Option<&str>, now: Timestamp) -> Check {
    let date = date.and_then(|date| httpdate::parse_http_date(date).ok()?.duration_since(UNIX_EPOCH).ok());
    let Some(date) = date else {
        return Check::warning(CLOCK, "the answer has no valid header Date, so the server's clock is unknown");
    };
    let now = u64::try_from(now.as_millis()).unwrap_or_default() / 1_000;
    match date.as_secs().abs_diff(now) {
        0..MAX_DIFFERENCE_SECONDS => Check::ok(CLOCK, "the server's clock agrees with this machine's"),
        seconds => Check::warning(
            CLOCK,
            format!("the clocks of the server and of this machine differ by {seconds} seconds: synchronize them (NTP)"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_a_minute_is_a_warning() {
        let now = "2026-11-21T10:00:00Z".parse().unwrap();
        for (date, expected) in [
            (Some("Sat, 21 Nov 2026 10:00:59 GMT"), "ok "),
            (Some("Sat, 21 Nov 2026 09:59:01 GMT"), "ok "),
            (Some("Sat, 21 Nov 2026 10:01:00 GMT"), "warning "),
            (Some("Sat, 21 Nov 2026 09:59:00 GMT"), "warning "),
            (Some("tomorrow"), "warning "),
            (None, "warning "),
        ] {
            assert!(judge_date(date, now).to_line().starts_with(expected), "{date:?}");
        }
    }
}

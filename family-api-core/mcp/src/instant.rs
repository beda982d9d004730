//! Instants as local times with an offset: `2026-11-24T18:30+01:00`.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::jiff::Timestamp as Instant;
use family_api_core::jiff::civil::Date;
use family_api_core::jiff::tz::Offset;

/// Formats an instant as the local time in a zone, with the offset. Seconds are omitted if they are 0.
pub(crate) fn local_time(at: Timestamp, zone: &Zone) -> String {
    let local = zone.local(at);
    let as_utc = Offset::UTC.to_timestamp(local).map_or(0, Instant::as_millisecond);
    let minutes = as_utc.saturating_sub(at.as_millis()).div_euclid(60_000);
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.unsigned_abs();
    let seconds = if local.second() == 0 { String::new() } else { format!(":{:02}", local.second()) };
    format!(
        "{}T{:02}:{:02}{seconds}{sign}{:02}:{:02}",
        local.date(),
        local.hour(),
        local.minute(),
        minutes / 60,
        minutes % 60
    )
}

/// Returns the weekday of a day: `Tue`. Models count weekdays wrong.
pub(crate) fn weekday(day: Date) -> String {
    day.strftime("%a").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_local_times_with_offset() {
        for (at, zone, expected) in [
            ("2026-11-24T17:30:00Z", "Europe/Madrid", "2026-11-24T18:30+01:00"),
            ("2026-07-24T17:30:00Z", "Europe/Madrid", "2026-07-24T19:30+02:00"),
            ("2026-11-24T17:30:07Z", "America/St_Johns", "2026-11-24T14:00:07-03:30"),
            ("2026-11-24T23:59:59.999Z", "UTC", "2026-11-24T23:59:59+00:00"),
        ] {
            let (at, zone): (Timestamp, Zone) = (at.parse().unwrap(), zone.parse().unwrap());
            assert_eq!(local_time(at, &zone), expected);
        }
    }
}

//! Instants of the demo's data: `"@today+1 18:30"` and `"@now-2h"` become the instants that they mean.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use jiff::{SignedDuration, ToSpan};

/// Replaces every relative instant; one that cannot be read stays, for the import to refuse.
pub(super) fn fill(text: &str, now: Timestamp, zone: &Zone) -> String {
    let mut parts = text.split("\"@");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (when, rest) = part.split_once('"').unwrap_or((part, ""));
        let at = instant(when, now, zone).map_or_else(|| format!("@{when}"), |at| at.to_string());
        filled.extend(["\"", &at, "\"", rest]);
    }
    filled
}

fn instant(when: &str, now: Timestamp, zone: &Zone) -> Option<Timestamp> {
    match when.strip_prefix("now-") {
        Some(ago) => Some(now.saturating_add(-duration(ago)?)),
        None => local(when.strip_prefix("today")?, now, zone),
    }
}

/// `2h` or `3d`.
fn duration(text: &str) -> Option<SignedDuration> {
    let hours = match text.strip_suffix('d') {
        Some(days) => days.parse::<i64>().ok()?.checked_mul(24)?,
        None => text.strip_suffix('h')?.parse().ok()?,
    };
    SignedDuration::try_from_hours(hours)
}

/// `+1 18:30`: so many days from today, at that time of the day.
fn local(text: &str, now: Timestamp, zone: &Zone) -> Option<Timestamp> {
    let (days, clock) = text.split_once(' ')?;
    let days: i32 = if days.is_empty() { 0 } else { days.parse().ok()? };
    let (hours, minutes) = clock.split_once(':')?;
    let minutes = hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?;
    let day = zone.day_of(now).checked_add(days.days()).ok()?;
    Some(zone.start_of_day(day).saturating_add(SignedDuration::try_from_mins(minutes)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_filled_in_and_the_rest_stays() {
        let now = "2026-11-20T23:30:00Z".parse().unwrap();
        let zone = "Europe/Kyiv".parse().unwrap();
        for (text, filled) in [
            (r#"{"a": "@today 18:30"}"#, r#"{"a": "2026-11-21T16:30:00.000Z"}"#),
            (r#"["@today+1 00:00","@today-1 00:00"]"#, r#"["2026-11-21T22:00:00.000Z","2026-11-19T22:00:00.000Z"]"#),
            (r#""@now-2h" "@now-1d""#, r#""2026-11-20T21:30:00.000Z" "2026-11-19T23:30:00.000Z""#),
            (r#""a@b.example" "@soon" "#, r#""a@b.example" "@soon" "#),
        ] {
            assert_eq!(fill(text, now, &zone), filled);
        }
    }
}

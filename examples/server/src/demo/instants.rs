//! Replaces relative instants in the demo's data, such as `"@today+1 18:30"` and `"@now-2h"`, with RFC 3339 instants.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use jiff::{SignedDuration, ToSpan};

/// Replaces every relative instant. An invalid relative instant is kept, so the import refuses its line.
pub(super) fn resolve(text: &str, now: Timestamp, zone: &Zone) -> String {
    let mut parts = text.split("\"@");
    let mut resolved = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (when, rest) = part.split_once('"').unwrap_or((part, ""));
        let at = instant(when, now, zone).map_or_else(|| format!("@{when}"), |at| at.to_string());
        resolved.extend(["\"", &at, "\"", rest]);
    }
    resolved
}

fn instant(when: &str, now: Timestamp, zone: &Zone) -> Option<Timestamp> {
    match when.strip_prefix("now-") {
        Some(ago) => Some(now.saturating_add(-duration(ago)?)),
        None => local_time(when.strip_prefix("today")?, now, zone),
    }
}

/// Parses a duration: `2h` or `3d`.
fn duration(text: &str) -> Option<SignedDuration> {
    let hours = match text.strip_suffix('d') {
        Some(days) => days.parse::<i64>().ok()?.checked_mul(24)?,
        None => text.strip_suffix('h')?.parse().ok()?,
    };
    SignedDuration::try_from_hours(hours)
}

/// Parses a local time: `+1 18:30` is tomorrow at 18:30.
fn local_time(text: &str, now: Timestamp, zone: &Zone) -> Option<Timestamp> {
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
    fn relative_instants_are_replaced_and_the_rest_stays() {
        let now = "2026-11-20T23:30:00Z".parse().unwrap();
        let zone = "Europe/Kyiv".parse().unwrap();
        for (text, resolved) in [
            (r#"{"a": "@today 18:30"}"#, r#"{"a": "2026-11-21T16:30:00.000Z"}"#),
            (r#"["@today+1 00:00","@today-1 00:00"]"#, r#"["2026-11-21T22:00:00.000Z","2026-11-19T22:00:00.000Z"]"#),
            (r#""@now-2h" "@now-1d""#, r#""2026-11-20T21:30:00.000Z" "2026-11-19T23:30:00.000Z""#),
            (r#""a@b.example" "@soon" "#, r#""a@b.example" "@soon" "#),
        ] {
            assert_eq!(resolve(text, now, &zone), resolved);
        }
    }
}

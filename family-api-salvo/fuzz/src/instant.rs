//! Instants and dates as text (HTTP reference, "Instants and dates").

use family_api_core::Timestamp;
use family_api_core::calendar::parse_date;
use jiff::civil::Date;

/// jiff supports only timestamps before this limit: it reserves the last 26 hours of the year 9999 for UTC offsets.
const JIFF_LIMIT: i64 = 253_402_207_200_000;

/// Checks that a text is an instant or a date exactly if RFC 3339 says so, and that its value is the same as in jiff.
pub fn instant(data: &[u8]) {
    if let Some(bytes) = data.first_chunk() {
        check_milliseconds(i64::from_le_bytes(*bytes));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Timestamp>() {
        Ok(at) => check_accepted(text, at),
        Err(_) => check_refused(text),
    }
    let day = parse_date(text);
    assert_eq!(
        day.is_some(),
        matches_pattern(text, "dddd-dd-dd") && text.parse::<Date>().is_ok_and(|day| day.year() > 0)
    );
    assert!(day.is_none_or(|day| day.to_string() == text), "{text:?}");
}

fn check_milliseconds(millis: i64) {
    if let Some(at) = Timestamp::from_millis(millis) {
        assert_eq!(at.as_millis(), millis);
        assert_eq!(at.to_string().parse(), Ok(at));
        let years = i16::try_from(millis % 12_000).unwrap_or_default();
        let later = at.saturating_add_years(years);
        assert!((later >= at) == (years >= 0) || later == at, "{at} and {years} years");
    } else {
        assert!(!(Timestamp::MIN.as_millis()..=Timestamp::MAX.as_millis()).contains(&millis), "{millis}");
    }
}

fn check_accepted(text: &str, at: Timestamp) {
    let offset = text.get(text.len() - 6..).filter(|zone| zone.starts_with(['+', '-']));
    assert!(offset.is_none_or(|zone| &zone[1..3] < "24" && &zone[4..] < "60"), "{text:?}");
    let written = at.to_string();
    assert!(matches_pattern(&written, "dddd-dd-ddTdd:dd:dd.dddZ"), "{text:?} is written as {written}");
    assert_eq!(written.parse(), Ok(at), "{text:?}");
    assert_eq!(Timestamp::from_millis(at.as_millis()), Some(at));
    if at.as_millis() < JIFF_LIMIT {
        let (text, _) = truncate_fraction(text);
        let by_jiff = text.parse::<jiff::Timestamp>().unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(by_jiff.as_nanosecond().div_euclid(1_000_000), at.as_millis().into(), "{text:?}");
    }
}

/// Checks that a refused text does not have the format of RFC 3339, or that one of its values is invalid.
fn check_refused(text: &str) {
    let (text, fraction) = truncate_fraction(text);
    let upper = text.to_ascii_uppercase();
    let zoned = ["Z", "+dd:dd", "-dd:dd"].map(|zone| format!("dddd-dd-ddTdd:dd:dd{fraction}{zone}"));
    if zoned.iter().any(|pattern| matches_pattern(&upper, pattern))
        && !upper.starts_with("0000")
        && !upper.starts_with("9999")
    {
        let by_jiff = upper.parse::<jiff::Timestamp>();
        let leap_second = &upper[17..19] == "60";
        let offset = upper.len() > 6 && upper[upper.len() - 6..].starts_with(['+', '-']);
        let offset_of_a_day = offset && &upper[upper.len() - 5..upper.len() - 3] >= "24";
        let before_the_first_year = upper.starts_with("0001-01-01");
        assert!(by_jiff.is_err() || leap_second || offset_of_a_day || before_the_first_year, "{text:?} is refused");
    }
}

/// Truncates the fraction to milliseconds. Returns the text and the pattern of the fraction, such as `.ddd`.
fn truncate_fraction(text: &str) -> (String, String) {
    let digits = text.get(20..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
    if text.as_bytes().get(19) != Some(&b'.') || digits == 0 {
        return (text.to_owned(), String::new());
    }
    let kept = digits.min(3);
    (format!("{}{}", &text[..20 + kept], &text[20 + digits..]), format!(".{}", "d".repeat(kept)))
}

/// Returns whether a text matches a pattern. `d` stands for a digit.
fn matches_pattern(text: &str, pattern: &str) -> bool {
    let same = |(c, pattern): (char, char)| if pattern == 'd' { c.is_ascii_digit() } else { c == pattern };
    text.chars().count() == pattern.len() && text.chars().zip(pattern.chars()).all(same)
}

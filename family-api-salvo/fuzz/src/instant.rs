//! Instants and dates as text (HTTP reference, "Instants and dates").

use family_api_core::Timestamp;
use family_api_core::calendar::parse_date;
use jiff::civil::Date;

/// jiff does not support the last 26 hours of the year 9999, so that any offset stays in range.
const KNOWN: i64 = 253_402_207_200_000;

/// A text is an instant or a date exactly if RFC 3339 says so. Its value is the same as in an independent library.
pub fn instant(data: &[u8]) {
    if let Some(bytes) = data.first_chunk() {
        number(i64::from_le_bytes(*bytes));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Timestamp>() {
        Ok(at) => read(text, at),
        Err(_) => refused(text),
    }
    let day = parse_date(text);
    assert_eq!(day.is_some(), has_shape(text, "dddd-dd-dd") && text.parse::<Date>().is_ok_and(|day| day.year() > 0));
    assert!(day.is_none_or(|day| day.to_string() == text), "{text:?}");
}

fn number(millis: i64) {
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

fn read(text: &str, at: Timestamp) {
    let offset = text.get(text.len() - 6..).filter(|zone| zone.starts_with(['+', '-']));
    assert!(offset.is_none_or(|zone| &zone[1..3] < "24" && &zone[4..] < "60"), "{text:?}");
    let written = at.to_string();
    assert!(has_shape(&written, "dddd-dd-ddTdd:dd:dd.dddZ"), "{text:?} is written as {written}");
    assert_eq!(written.parse(), Ok(at), "{text:?}");
    assert_eq!(Timestamp::from_millis(at.as_millis()), Some(at));
    if at.as_millis() < KNOWN {
        let (text, _) = cut(text);
        let known = text.parse::<jiff::Timestamp>().unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(known.as_nanosecond().div_euclid(1_000_000), at.as_millis().into(), "{text:?}");
    }
}

/// If a text has the shape of RFC 3339 but is refused, its values must be invalid.
fn refused(text: &str) {
    let (text, fraction) = cut(text);
    let upper = text.to_ascii_uppercase();
    let zoned = ["Z", "+dd:dd", "-dd:dd"].map(|zone| format!("dddd-dd-ddTdd:dd:dd{fraction}{zone}"));
    if zoned.iter().any(|shape| has_shape(&upper, shape)) && !upper.starts_with("0000") && !upper.starts_with("9999") {
        let known = upper.parse::<jiff::Timestamp>();
        let leap_second = &upper[17..19] == "60";
        let offset = upper.len() > 6 && upper[upper.len() - 6..].starts_with(['+', '-']);
        let offset_of_a_day = offset && &upper[upper.len() - 5..upper.len() - 3] >= "24";
        let before_the_first_year = upper.starts_with("0001-01-01");
        assert!(known.is_err() || leap_second || offset_of_a_day || before_the_first_year, "{text:?} is refused");
    }
}

/// Truncates the fraction to three digits, as instants do. Returns the text and its shape.
fn cut(text: &str) -> (String, String) {
    let digits = text.get(20..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
    if text.as_bytes().get(19) != Some(&b'.') || digits == 0 {
        return (text.to_owned(), String::new());
    }
    let kept = digits.min(3);
    (format!("{}{}", &text[..20 + kept], &text[20 + digits..]), format!(".{}", "d".repeat(kept)))
}

/// Returns whether a text has this shape. `d` is a digit.
fn has_shape(text: &str, shape: &str) -> bool {
    let same = |(c, shape): (char, char)| if shape == 'd' { c.is_ascii_digit() } else { c == shape };
    text.chars().count() == shape.len() && text.chars().zip(shape.chars()).all(same)
}

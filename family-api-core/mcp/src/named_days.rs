//! Days that arguments name in words. No argument accepts them, because a word can mean another day when the call is
//! repeated. The message about such a call says which date to send.

use std::fmt::Write;

use family_api_core::jiff::ToSpan;
use family_api_core::jiff::civil::{Date, Weekday};
use family_api_core::resource::fold_text;
use family_api_core::validation::Json;

/// Maximum length of an argument that can name a day, in bytes.
const MAX_LENGTH: usize = 40;

/// Maximum number of days in a message.
const MAX_DAYS: usize = 3;

/// The days that the arguments of a call name in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedDays(Vec<(&'static str, Date)>);

impl NamedDays {
    /// Finds the words in the texts of a call.
    pub(crate) fn of(arguments: &Json, today: Date) -> Self {
        let mut found = Self::default();
        found.add(arguments, today);
        found
    }

    fn add(&mut self, value: &Json, today: Date) {
        match value {
            Json::String(text) if text.len() <= MAX_LENGTH && self.0.len() < MAX_DAYS => {
                let day = named_day(&fold_text(text), today);
                self.0.extend(day.filter(|(word, _)| self.0.iter().all(|(other, _)| other != word)));
            }
            Json::Array(elements) => elements.iter().for_each(|element| self.add(element, today)),
            Json::Object(members) => members.iter().for_each(|(_, member)| self.add(member, today)),
            _ => {}
        }
    }

    /// Returns a sentence for each day. Empty if there is none.
    pub(crate) fn sentences(&self) -> String {
        self.0.iter().fold(String::new(), |mut sentences, (word, day)| {
            let _ = write!(sentences, " {word} is {day}.");
            sentences
        })
    }
}

/// Returns the word with which a text begins, and the day that it means. A weekday is the next one after today.
fn named_day(text: &str, today: Date) -> Option<(&'static str, Date)> {
    let begins = |word: &str| {
        let rest = text.trim_start().strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let days = [("today", 0), ("tomorrow", 1), ("day after tomorrow", 2), ("yesterday", -1)];
    if let Some((word, days)) = days.into_iter().find(|(word, _)| begins(word)) {
        return today.checked_add(days.days()).ok().map(|day| (word, day));
    }
    let weekdays = [
        ("monday", Weekday::Monday),
        ("tuesday", Weekday::Tuesday),
        ("wednesday", Weekday::Wednesday),
        ("thursday", Weekday::Thursday),
        ("friday", Weekday::Friday),
        ("saturday", Weekday::Saturday),
        ("sunday", Weekday::Sunday),
    ];
    let (word, weekday) = weekdays.into_iter().find(|(word, _)| begins(word))?;
    today.nth_weekday(1, weekday).ok().map(|day| (word, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_words_are_named_with_their_dates() {
        // A Friday.
        let today: Date = "2026-11-20".parse().unwrap();
        let sentences = |text: &str| NamedDays::of(&Json::parse(text.as_bytes()).unwrap(), today).sentences();
        for (arguments, expected) in [
            (r#"{"dueDate":"tomorrow"}"#, " tomorrow is 2026-11-21."),
            (r#"{"tasks":[{"dueDate":" Day after tomorrow"}]}"#, " day after tomorrow is 2026-11-22."),
            (r#"{"from":"TODAY","to":"Yesterday"}"#, " today is 2026-11-20. yesterday is 2026-11-19."),
            (r#"{"from":"friday","to":"friday 18:00"}"#, " friday is 2026-11-27."),
            (r#"{"start":"monday 18:00"}"#, " monday is 2026-11-23."),
            (r#"{"start":"soon","end":"mondays","title":7}"#, ""),
        ] {
            assert_eq!(sentences(arguments), expected);
        }
        assert_eq!(sentences(&format!(r#"{{"title":"tomorrow{}"}}"#, " ".repeat(40))), "");
        assert_eq!(sentences(r#"["monday","tuesday","sunday","saturday"]"#).matches(" is ").count(), MAX_DAYS);
    }
}

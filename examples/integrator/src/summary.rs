//! The summary as text.

use std::fmt;

use family_api_client::resource::{Board, Occurrence, ShoppingList};

use crate::day::Day;
use crate::text::non_empty;
use crate::{events, shopping, tasks};

/// The maximum number of tasks in the summary.
const MAX_TASKS: usize = 7;

/// The records and the day of a summary. `Display` writes the summary as text.
#[derive(Debug)]
pub(crate) struct Summary {
    /// The user's name for the greeting, if the profile could be read.
    pub(crate) name: Option<String>,
    pub(crate) day: Day,
    pub(crate) events: Vec<Occurrence>,
    /// Whether events are missing, because the service returned only the first of them.
    pub(crate) is_truncated: bool,
    pub(crate) boards: Vec<Board>,
    pub(crate) lists: Vec<ShoppingList>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = non_empty(self.name.as_deref()).map(|name| format!(", {name}")).unwrap_or_default();
        write!(f, "Good morning{name}! It is {}.", self.day.title())?;
        let tasks = tasks::open_tasks(&self.boards, &self.day);
        let (first, rest) = tasks.split_at(tasks.len().min(MAX_TASKS));
        section(f, "Today", &align(&events::today(&self.events, &self.day)), "nothing in the calendar")?;
        if self.is_truncated {
            write!(f, "\n  some events are missing")?;
        }
        section(f, "To do", &align(first), "nothing")?;
        if !rest.is_empty() {
            write!(f, "\n  and {} more", rest.len())?;
        }
        section(f, "To buy", &shopping::to_buy(&self.lists), "nothing")
    }
}

/// Writes a heading and its lines, or the text `placeholder` if there are no lines.
fn section(f: &mut fmt::Formatter<'_>, title: &str, lines: &[String], placeholder: &str) -> fmt::Result {
    write!(f, "\n\n{title}")?;
    if lines.is_empty() {
        return write!(f, "\n  {placeholder}");
    }
    lines.iter().try_for_each(|line| write!(f, "\n  {line}"))
}

/// Formats each pair as a line. The second parts of all lines start in the same column.
fn align(lines: &[(String, String)]) -> Vec<String> {
    let width = lines.iter().map(|(first, _)| first.chars().count()).max().unwrap_or_default();
    lines.iter().map(|(first, rest)| format!("{first:width$}  {rest}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(name: Option<&str>) -> Summary {
        let day = Day::of("2026-11-20T22:30:00Z".parse().unwrap(), "Europe/Kyiv".parse().unwrap());
        Summary {
            name: name.map(str::to_owned),
            day,
            events: vec![],
            is_truncated: false,
            boards: vec![],
            lists: vec![],
        }
    }

    #[test]
    fn empty_sections_have_placeholders() {
        let expected = "Good morning, Olena! It is Saturday, 21 November 2026.\n\n\
                        Today\n  nothing in the calendar\n\n\
                        To do\n  nothing\n\n\
                        To buy\n  nothing";
        assert_eq!(summary(Some("Olena")).to_string(), expected);
    }

    #[test]
    fn missing_events_are_mentioned() {
        let truncated = Summary { is_truncated: true, ..summary(None) }.to_string();
        assert!(
            truncated.contains("\n\nToday\n  nothing in the calendar\n  some events are missing\n\n"),
            "{truncated}"
        );
    }

    #[test]
    fn greeting_works_without_a_name() {
        for name in [None, Some(""), Some(" ")] {
            assert!(summary(name).to_string().starts_with("Good morning! It is "), "{name:?}");
        }
    }
}

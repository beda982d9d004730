//! Shows records as tables. The tables contain the ids that other commands take as arguments.

mod event;
mod key;
mod note;
mod profile;
mod shopping;
mod task;
mod task_stats;

pub(crate) use task::Columns;

use family_api_client::resource::Person;

use crate::table::Table;
use crate::times::Times;

/// A record that can be shown as a table.
pub(crate) trait Show {
    fn show(&self, times: &Times) -> Table;

    /// Returns whether records are missing in the response.
    fn is_truncated(&self) -> bool {
        false
    }
}

/// Returns a title with its emoji in front.
fn with_emoji(emoji: Option<&str>, title: &str) -> String {
    emoji.map_or_else(|| title.to_owned(), |emoji| format!("{emoji} {title}"))
}

/// Returns the person's name, or an empty text for `None`.
fn person_name(person: Option<&Person>) -> String {
    person.map(|person| with_emoji(person.emoji.as_deref(), &person.name)).unwrap_or_default()
}

fn yes_or_empty(value: bool) -> String {
    if value { "yes".to_owned() } else { String::new() }
}

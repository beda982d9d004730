//! Shows records as tables. The tables contain the ids that other commands take as arguments.

mod access;
mod changes;
mod deleted;
mod event;
mod feed;
mod note;
mod overview;
mod profile;
mod shopping;
mod task;

pub(crate) use deleted::NamedDeletions;
pub(crate) use task::Columns;

use family_api_client::key::{KeyMode, ScopeSet};
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

/// Returns the mode, or the scopes if they match no mode.
fn mode_or_scopes(mode: Option<KeyMode>, scopes: &ScopeSet) -> String {
    let scopes = || scopes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    mode.map(KeyMode::as_str).map_or_else(scopes, str::to_owned)
}

fn yes_or_empty(value: bool) -> String {
    if value { "yes".to_owned() } else { String::new() }
}

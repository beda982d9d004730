//! Records as tables: what people look at first, and the ids that other commands take.

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

/// What people are shown of a record.
pub(crate) trait Show {
    fn show(&self, times: &Times) -> Table;
}

/// A title with the emoji that stands before it.
fn titled(emoji: Option<&str>, title: &str) -> String {
    emoji.map_or_else(|| title.to_owned(), |emoji| format!("{emoji} {title}"))
}

/// Who it is, if it is anybody in the family.
fn name(person: Option<&Person>) -> String {
    person.map(|person| titled(person.emoji.as_deref(), &person.name)).unwrap_or_default()
}

fn yes(holds: bool) -> String {
    if holds { "yes".to_owned() } else { String::new() }
}

//! The kinds of records that tools write.

use family_api_core::calendar::Zone;
use family_api_core::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task};
use family_api_core::storage::Writable;

use crate::records::{When, due_words, person};

/// A kind of record that tools write.
pub(crate) trait ToolRecord: Writable {
    /// Returns the title or the name.
    fn title(&self) -> &str;

    /// Returns the id of the column that contains the record.
    fn column(&self) -> Option<&str> {
        None
    }

    /// Returns the id of the list that contains the record.
    fn list(&self) -> Option<&str> {
        None
    }

    /// Returns the name of the member to whom the record is assigned.
    fn assignee(&self) -> Option<String> {
        None
    }

    /// Returns the rule by which the record recurs.
    fn recurrence(&self) -> Option<&str> {
        None
    }

    /// Returns why an update that sets the [field](crate::write::mark::Mark) of the record to true, and has kept this
    /// record, is probably the repetition of one that did so. `None` if it is not.
    fn repetition(&self, _: &Zone) -> Option<String> {
        None
    }

    /// Returns when the record is due or takes place.
    fn when(&self, _: &Zone) -> Option<String> {
        None
    }
}

impl ToolRecord for Task {
    fn title(&self) -> &str {
        &self.title
    }

    fn column(&self) -> Option<&str> {
        Some(self.column_id.as_str())
    }

    fn assignee(&self) -> Option<String> {
        person(self.assignee.clone(), self.assignee_id.clone())
    }

    fn recurrence(&self) -> Option<&str> {
        self.rule()
    }

    fn when(&self, zone: &Zone) -> Option<String> {
        self.due_date.map(|due| due_words(due, zone))
    }

    /// A recurring task that was completed stays open, so a client that repeats the call would skip a time.
    fn repetition(&self, zone: &Zone) -> Option<String> {
        let (done, due) = self.last_completed_at.zip(self.due_date)?;
        let is_open = !self.completed && self.recurrence.is_some();
        let at = zone.local(done).strftime("%H:%M");
        is_open.then(|| format!("was completed at {at}, due again {}", due_words(due, zone)))
    }
}

impl ToolRecord for Note {
    fn title(&self) -> &str {
        &self.title
    }
}

impl ToolRecord for Event {
    fn title(&self) -> &str {
        &self.title
    }

    fn when(&self, zone: &Zone) -> Option<String> {
        Some(When::from(self).span(zone).words())
    }

    fn assignee(&self) -> Option<String> {
        person(self.assignee.clone(), self.assignee_id.clone())
    }

    fn recurrence(&self) -> Option<&str> {
        self.recurrence.as_deref()
    }
}

impl ToolRecord for ShoppingItem {
    fn title(&self) -> &str {
        &self.name
    }

    fn list(&self) -> Option<&str> {
        Some(self.list_id.as_str())
    }
}

/// Implements the trait for a kind of record that contains others.
macro_rules! impl_container {
    ($($Record:ident),*) => {$(
        impl ToolRecord for $Record {
            fn title(&self) -> &str {
                &self.name
            }
        }
    )*};
}

impl_container!(Board, Column, ShoppingList, NoteCategory);

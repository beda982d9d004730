//! The kinds of records that tools write.

use family_api_core::calendar::Zone;
use family_api_core::resource::{Event, Note, ShoppingItem, ShoppingList, Task};
use family_api_core::storage::Writable;

use crate::records::{When, due_text};

/// A kind of record that tools write.
pub(crate) trait ToolRecord: Writable {
    /// Returns the title or the name.
    fn title(&self) -> &str;

    /// Returns the id of the column or list that contains the record.
    fn container(&self) -> Option<&str> {
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

    fn container(&self) -> Option<&str> {
        Some(self.column_id.as_str())
    }

    fn when(&self, zone: &Zone) -> Option<String> {
        self.due_date.map(|due| due_text(due, zone))
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
        let (start, end) = When::from(self).days_or_times(zone);
        Some(if start == end { start } else { format!("{start} to {end}") })
    }
}

impl ToolRecord for ShoppingItem {
    fn title(&self) -> &str {
        &self.name
    }

    fn container(&self) -> Option<&str> {
        Some(self.list_id.as_str())
    }
}

impl ToolRecord for ShoppingList {
    fn title(&self) -> &str {
        &self.name
    }
}

//! Deleted records.

use std::fmt::Display;

use family_api_client::resource::{Deleted, DeletedItems, DeletedOccurrence, RestorableList};
use serde::Serialize;

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

impl<I: Display> Show for Deleted<I> {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([("Deleted", self.id.to_string())])
    }
}

impl Show for DeletedOccurrence {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([("Deleted", self.id.to_string())])
    }
}

/// Deleted items with their names, which only a table shows.
#[derive(Serialize)]
pub(crate) struct NamedDeletions {
    #[serde(flatten)]
    pub(crate) deleted: DeletedItems,
    /// The names, in the order of the ids.
    #[serde(skip)]
    pub(crate) names: Vec<String>,
}

impl Show for NamedDeletions {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["Deleted", "Id"]);
        for (name, id) in self.names.iter().zip(&self.deleted.ids) {
            table.add_row([name.clone(), id.to_string()]);
        }
        table
    }
}

impl Show for RestorableList {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Kind", "Title", "Deleted", "Restorable until", "Id"]);
        for record in &self.records {
            table.add_row([
                record.kind.as_str().to_owned(),
                record.title.clone(),
                times.date_and_time(record.deleted_at),
                times.date_and_time(record.restorable_until),
                record.id.clone(),
            ]);
        }
        table
    }

    fn is_truncated(&self) -> bool {
        self.next_cursor.is_some()
    }
}

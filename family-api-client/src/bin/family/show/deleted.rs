//! Deleted records.

use std::fmt::Display;

use family_api_client::resource::{Deleted, DeletedItems};

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

impl<I: Display> Show for Deleted<I> {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([("Deleted", self.id.to_string())])
    }
}

impl Show for DeletedItems {
    fn show(&self, _: &Times) -> Table {
        let mut table = Table::new(["Deleted"]);
        for id in &self.ids {
            table.add_row([id.to_string()]);
        }
        table
    }
}

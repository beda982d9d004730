//! Task statistics.

use family_api_client::resource::TaskStats;

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

impl Show for TaskStats {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([
            ("Open", self.my_open.to_string()),
            ("Done today", self.done_today.to_string()),
            ("Done this week", self.done_week.to_string()),
            ("Done ever", self.done_total.to_string()),
        ])
    }
}

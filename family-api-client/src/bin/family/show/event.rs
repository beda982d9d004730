//! Events.

use family_api_client::resource::Event;

use crate::show::{Show, person_name, with_emoji};
use crate::table::Table;
use crate::times::Times;

impl Show for Vec<Event> {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(["Begins", "Ends", "Event", "Where", "Who", "Id"]);
        for event in self {
            let from = event.start_date;
            let to = event.end_date;
            let (begins, ends) = if event.all_day {
                (times.day(from), times.last_day(from, to))
            } else {
                (times.date_and_time(from), times.date_and_time(to))
            };
            table.add_row([
                begins,
                ends,
                with_emoji(event.emoji.as_deref(), &event.title),
                event.location.clone().unwrap_or_default(),
                person_name(event.assignee.as_ref()),
                event.id.to_string(),
            ]);
        }
        table
    }
}

//! Events and their occurrences.

use family_api_client::calendar::ZoneName;
use family_api_client::resource::{Event, Person};
use family_api_client::{Occurrences, Timestamp};

use crate::show::{Show, person_name, with_emoji};
use crate::table::Table;
use crate::times::Times;

const COLUMNS: [&str; 6] = ["Begins", "Ends", "Event", "Where", "Who", "Id"];

impl Show for Vec<Event> {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(COLUMNS);
        for event in self {
            let [begins, ends] =
                dates(times, event.start_date, event.end_date, event.all_day, event.time_zone.as_ref());
            let title = with_emoji(event.emoji.as_deref(), &event.title);
            let [place, person] = details(event.location.as_ref(), event.assignee.as_ref());
            table.add_row([begins, ends, title, place, person, event.id.to_string()]);
        }
        table
    }
}

impl Show for Event {
    fn show(&self, times: &Times) -> Table {
        let [begins, ends] = dates(times, self.start_date, self.end_date, self.all_day, self.time_zone.as_ref());
        let [place, person] = details(self.location.as_ref(), self.assignee.as_ref());
        Table::of_fields([
            ("Event", with_emoji(self.emoji.as_deref(), &self.title)),
            ("Begins", begins),
            ("Ends", ends),
            ("Zone", self.time_zone.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("Repeats", self.recurrence.clone().unwrap_or_default()),
            ("Where", place),
            ("Who", person),
            ("Id", self.id.to_string()),
        ])
    }
}

impl Show for Occurrences {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(COLUMNS);
        for occurrence in self.iter() {
            let [begins, ends] = dates(
                times,
                occurrence.start_date,
                occurrence.end_date,
                occurrence.all_day,
                occurrence.time_zone.as_ref(),
            );
            let title = with_emoji(occurrence.emoji.as_deref(), &occurrence.title);
            let [place, person] = details(occurrence.location.as_ref(), occurrence.assignee.as_ref());
            table.add_row([begins, ends, title, place, person, occurrence.id.to_string()]);
        }
        table
    }

    fn is_truncated(&self) -> bool {
        Self::is_truncated(self)
    }
}

/// Returns when an event begins and ends.
fn dates(times: &Times, from: Timestamp, to: Timestamp, all_day: bool, zone: Option<&ZoneName>) -> [String; 2] {
    if all_day { times.days(from, to, zone) } else { [times.date_and_time(from), times.date_and_time(to)] }
}

fn details(location: Option<&String>, assignee: Option<&Person>) -> [String; 2] {
    [location.cloned().unwrap_or_default(), person_name(assignee)]
}

//! Calendar feeds.

use family_api_client::feed::{CalendarFeed, EndedFeed, FeedList, FeedSettings};

use crate::show::Show;
use crate::table::Table;
use crate::times::Times;

const HEADINGS: [&str; 10] =
    ["Name", "Shows", "Detail", "Persons", "Boards", "Address", "Created", "Last used", "Left out", "Id"];

fn cells(feed: &CalendarFeed, times: &Times) -> [String; 10] {
    let FeedSettings { name, shows, detail, person_ids, board_ids, .. } = &feed.settings;
    [
        name.clone(),
        shows.as_str().to_owned(),
        detail.as_str().to_owned(),
        person_ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        board_ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        feed.hint.clone(),
        times.date_and_time(feed.created_at),
        times.date_and_time_or_empty(feed.last_used_at),
        if feed.left_out == 0 { String::new() } else { feed.left_out.to_string() },
        feed.id.to_string(),
    ]
}

impl Show for FeedList {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(HEADINGS);
        for feed in &self.feeds {
            table.add_row(cells(feed, times));
        }
        table
    }
}

impl Show for CalendarFeed {
    fn show(&self, times: &Times) -> Table {
        let mut table = Table::new(HEADINGS);
        table.add_row(cells(self, times));
        table
    }
}

impl Show for EndedFeed {
    fn show(&self, _: &Times) -> Table {
        Table::of_fields([("Ended feed", self.id.to_string())])
    }
}

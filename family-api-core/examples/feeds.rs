//! Writes calendar feeds from standard input, one JSON object a line, for the comparison with the programs that read them.
//!
//! A line has `events`, `tasks`, the `zone` of the user, the start `since` of the window, and the days `first` and `last`.
//! The answer is a line with the document `ics`, the number `leftOut`, and the `occurrences` that start on these days in
//! the window: `[[title, start, end], …]`, in this order. Whole days are dates, with an exclusive end.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};

use family_api_core::Timestamp;
use family_api_core::calendar::{Zone, ZoneName, parse_date};
use family_api_core::feed::{FeedDetail, FeedLanguage, FeedView, write};
use family_api_core::jiff::{ToSpan, civil::Date};
use family_api_core::occurrences::{DayRange, MAX_OCCURRENCES, expand};
use family_api_core::resource::{Event, Task};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Case {
    events: Vec<Event>,
    tasks: Vec<Task>,
    zone: Zone,
    since: Timestamp,
    first: String,
    last: String,
}

/// The days of one query. More could have more occurrences than a query returns.
const DAYS_OF_QUERY: i64 = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let case: Case = serde_json::from_str(&line?)?;
        let feed = FeedView {
            name: "Family",
            detail: FeedDetail::Full,
            language: FeedLanguage::En,
            sequence: 1,
            calendar_id: "c0ffee",
            zone: &case.zone,
            since: case.since,
        };
        let written = write(&feed, &case.events, &case.tasks);
        let answer = json!({
            "ics": String::from_utf8(written.ics)?,
            "leftOut": written.left_out,
            "first": case.first,
            "last": case.last,
            "occurrences": occurrences(&case)?.into_iter().map(|(row, _)| row).collect::<Vec<_>>(),
        });
        writeln!(output, "{answer}")?;
    }
    Ok(())
}

/// A title, a start and an end.
type Row = (String, String, String);

/// Returns the occurrences with their identifiers. Two can have equal rows.
fn occurrences(case: &Case) -> Result<BTreeSet<(Row, String)>, Box<dyn std::error::Error>> {
    let (first, last) = (parse_date(&case.first).ok_or("no date")?, parse_date(&case.last).ok_or("no date")?);
    let mut found = BTreeSet::new();
    for event in &case.events {
        let zone = event.time_zone.as_ref().and_then(ZoneName::zone).unwrap_or_else(|| case.zone.clone());
        // A day more at both ends, because these are days in the zone of the user.
        let mut from = first.checked_sub(1.day())?;
        while from <= last.checked_add(1.day())? {
            let days = DayRange::new(from, from.checked_add((DAYS_OF_QUERY - 1).days())?)?;
            let expanded = expand(std::slice::from_ref(event), &case.zone, days, MAX_OCCURRENCES);
            if expanded.is_cut {
                return Err("too many occurrences".into());
            }
            for item in expanded.items {
                let (start, end) = (item.start_date, item.end_date);
                let last_day = zone.last_day(start, end);
                if end <= case.since && start < case.since {
                    continue;
                }
                let (day, row) = if event.all_day {
                    let day = zone.local(start).date();
                    (day, (item.title, day.to_string(), last_day.max(day).checked_add(1.day())?.to_string()))
                } else {
                    let end = end.max(start);
                    (Zone::utc().local(start).date(), (item.title, whole(start), whole(end)))
                };
                if (first..=last).contains(&day) {
                    found.insert((row, item.id.to_string()));
                }
            }
            from = from.checked_add(DAYS_OF_QUERY.days())?;
        }
    }
    for task in case.tasks.iter().filter(|task| !task.completed) {
        let Some(due) = task.due_date.filter(|due| *due >= case.since) else { continue };
        let day: Date = case.zone.local(due).date();
        let (day, row) = if case.zone.start_of_day(day) == due {
            (day, (task.title.clone(), day.to_string(), day.checked_add(1.day())?.to_string()))
        } else {
            (Zone::utc().local(due).date(), (task.title.clone(), whole(due), whole(due)))
        };
        if (first..=last).contains(&day) {
            found.insert((row, task.id.to_string()));
        }
    }
    Ok(found)
}

/// Writes an instant in whole seconds.
fn whole(at: Timestamp) -> String {
    Zone::utc().local(at).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

//! Expands events from standard input, one JSON object a line, for the comparison with another expander.
//!
//! A line has an `event`, a `zone`, and the days `first` and `last`. The answer is a line with the instants of each
//! occurrence: `[[startDate, endDate], …]`. It is `null` if the recurrence is not valid, and `"cut"` if occurrences are
//! missing.

use std::io::{BufRead, Write};

use family_api_core::calendar::{Zone, parse_date};
use family_api_core::occurrences::{DayRange, MAX_OCCURRENCES, expand};
use family_api_core::resource::Event;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    event: Event,
    zone: Zone,
    first: String,
    last: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let Case { event, zone, first, last } = serde_json::from_str(&line?)?;
        let days = DayRange::new(parse_date(&first).ok_or("no date")?, parse_date(&last).ok_or("no date")?)?;
        let found = expand(&[event], &zone, days, MAX_OCCURRENCES);
        let spans: Vec<_> = found.items.iter().map(|item| (item.start_date, item.end_date)).collect();
        if found.unexpanded.is_empty() && !found.is_cut {
            serde_json::to_writer(&mut output, &spans)?;
        } else {
            serde_json::to_writer(&mut output, if found.is_cut { &Some("cut") } else { &None })?;
        }
        writeln!(output)?;
    }
    Ok(())
}

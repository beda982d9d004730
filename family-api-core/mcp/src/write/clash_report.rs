//! What events overlap with for the same people, after they were added or changed.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::Not;

use family_api_core::calendar::Zone;
use family_api_core::query::{Clash, ClashQuery, Clashes};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::one_line;
use crate::context::ToolContext;
use crate::records::When;

/// Maximum length of the title of an event that overlaps, in characters.
const MAX_TITLE: usize = 60;

/// Number of events up to which each report names as many as the query finds.
const FEW: usize = 5;

/// Maximum number of events that each report names if it is one of many.
const MAX_NAMED_OF_MANY: usize = 2;

// The events with which an event overlaps for the same people.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ClashReport {
    // False if the events could not be read.
    checked: bool,
    events: Vec<Item>,
    // Number of the other events that overlap.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<NonZeroUsize>,
    // True if events that overlap may be missing.
    #[serde(skip_serializing_if = "Not::not")]
    cut: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Item {
    id: String,
    title: String,
    start: String,
    end: String,
    all_day: bool,
    // Number of occurrences that overlap.
    count: usize,
}

impl ClashReport {
    /// Checks events that were written. A failure is reported, because the events are written in any case.
    pub(crate) async fn check(context: &ToolContext, queries: Vec<ClashQuery>) -> Vec<Self> {
        let count = queries.len();
        if count == 0 {
            return Vec::new();
        }
        let named = if count > FEW { MAX_NAMED_OF_MANY } else { usize::MAX };
        let found = match context.api().read(context.caller()) {
            Ok(reads) => reads.find_clashes(queries).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => {
                let report = |clashes: Option<Clashes>| match clashes {
                    Some(clashes) => Self::of(clashes, context.zone(), named),
                    None => Self::unchecked(),
                };
                found.into_iter().map(report).collect()
            }
            Err(error) => {
                context.log(&error);
                (0..count).map(|_| Self::unchecked()).collect()
            }
        }
    }

    const fn unchecked() -> Self {
        Self { checked: false, events: Vec::new(), more: None, cut: false }
    }

    /// Describes clashes, of which at most `max` are named.
    fn of(clashes: Clashes, zone: &Zone, max: usize) -> Self {
        let item = |Clash { occurrence, count, .. }: Clash| {
            let (start, end) = When::from(&occurrence).days_or_times(zone);
            let (id, title) = (occurrence.id.to_string(), one_line(&occurrence.title, MAX_TITLE));
            Item { id, title, start, end, all_day: occurrence.all_day, count }
        };
        let more = clashes.more + clashes.events.len().saturating_sub(max);
        let events = clashes.events.into_iter().take(max).map(item).collect();
        Self { checked: true, events, more: NonZeroUsize::new(more), cut: clashes.is_cut }
    }

    /// Returns the report as a part of a sentence.
    pub(crate) fn words(&self) -> String {
        if !self.checked {
            return "clashes were not checked".to_owned();
        }
        let mut words = if self.events.is_empty() { "no clashes" } else { "overlaps with " }.to_owned();
        for (index, event) in self.events.iter().enumerate() {
            let Item { id, title, start, end, all_day, count } = event;
            let _ = write!(words, "{}{title} [{id}] {start}", if index > 0 { ", " } else { "" });
            if end != start {
                let _ = write!(words, " to {end}");
            }
            if *all_day {
                words.push_str(" all day");
            }
            if *count > 1 {
                let _ = write!(words, " ({count} times)");
            }
        }
        if let Some(more) = self.more {
            let _ = write!(words, " and {more} more");
        }
        if self.cut {
            words.push_str(", perhaps incomplete");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_overlaps() {
        let item = |id: &str, all_day, count| Item {
            id: id.to_owned(),
            title: id.to_uppercase(),
            start: "2026-12-01".to_owned(),
            end: if all_day { "2026-12-01" } else { "2026-12-02" }.to_owned(),
            all_day,
            count,
        };
        let report = |events, more, cut| ClashReport { checked: true, events, more: NonZeroUsize::new(more), cut };
        for (report, words) in [
            (ClashReport::unchecked(), "clashes were not checked"),
            (report(Vec::new(), 0, false), "no clashes"),
            (report(Vec::new(), 0, true), "no clashes, perhaps incomplete"),
            (report(vec![item("a", true, 1)], 0, false), "overlaps with A [a] 2026-12-01 all day"),
            (
                report(vec![item("a", false, 1), item("b", false, 4)], 3, false),
                "overlaps with A [a] 2026-12-01 to 2026-12-02, B [b] 2026-12-01 to 2026-12-02 (4 times) and 3 more",
            ),
        ] {
            assert_eq!(report.words(), words);
        }
    }
}

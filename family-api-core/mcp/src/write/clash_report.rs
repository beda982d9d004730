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
use crate::records::{Span, When};

/// Maximum length of the title of an event that overlaps, in characters.
const MAX_TITLE: usize = 60;

/// Number of events up to which each report names as many as the query finds.
const FEW: usize = 5;

/// Maximum number of events that each report names if it is one of many.
const MAX_NAMED_OF_MANY: usize = 2;

// The events with which an event overlaps for the same people.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClashReport {
    // False if the events could not be read.
    checked: bool,
    events: Vec<Item>,
    // Number of the other events that overlap.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<NonZeroUsize>,
    // The events of the same days that only mark them, or all of them if the event itself only marks its days.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_days: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_same_days: Option<NonZeroUsize>,
    // True if events that overlap may be missing.
    #[serde(skip_serializing_if = "Not::not")]
    cut: bool,
}

#[derive(Serialize, JsonSchema)]
struct Item {
    id: String,
    title: String,
    #[serde(flatten)]
    span: Span,
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

    fn unchecked() -> Self {
        Self::default()
    }

    /// Describes clashes, of which at most `max` are named.
    fn of(clashes: Clashes, zone: &Zone, max: usize) -> Self {
        let item = |Clash { occurrence, count, .. }: Clash| Item {
            id: occurrence.id.to_string(),
            title: one_line(&occurrence.title, MAX_TITLE),
            span: When::from(&occurrence).span(zone),
            count,
        };
        let named = |events: Vec<Clash>, more: usize| {
            let more = NonZeroUsize::new(more + events.len().saturating_sub(max));
            (events.into_iter().take(max).map(item).collect(), more)
        };
        let (events, more) = named(clashes.events, clashes.more);
        let (same_days, more_same_days) = named(clashes.same_days, clashes.more_same_days);
        Self { checked: true, events, more, same_days, more_same_days, cut: clashes.is_cut }
    }

    /// Returns the report as a part of a sentence.
    pub(crate) fn words(&self) -> String {
        if !self.checked {
            return "clashes were not checked".to_owned();
        }
        let mut words = if self.events.is_empty() { "no clashes" } else { "overlaps with " }.to_owned();
        words.push_str(&listed(&self.events, self.more));
        if !self.same_days.is_empty() {
            let _ = write!(words, "; on the same days: {}", listed(&self.same_days, self.more_same_days));
        }
        if self.cut {
            words.push_str(", perhaps incomplete");
        }
        words
    }
}

/// Returns the events in words, and the number of the others.
fn listed(events: &[Item], more: Option<NonZeroUsize>) -> String {
    let words = |Item { id, title, span, count }: &Item| {
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        format!("{title} [{id}] {}{times}", span.words())
    };
    let words: Vec<String> = events.iter().map(words).collect();
    let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
    words.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use family_api_core::Timestamp;

    use super::*;

    #[test]
    fn a_report_says_what_overlaps() {
        let item = |id: &str, all_day, count| Item {
            id: id.to_owned(),
            title: id.to_uppercase(),
            span: {
                let (start, end): (Timestamp, Timestamp) =
                    ("2026-12-01T00:00:00Z".parse().unwrap(), "2026-12-02T00:00:00Z".parse().unwrap());
                When { all_day, start, end, zone: None }.span(&Zone::utc())
            },
            count,
        };
        let report = |events, more, cut| ClashReport {
            checked: true,
            events,
            more: NonZeroUsize::new(more),
            cut,
            ..ClashReport::default()
        };
        let holiday = ClashReport {
            same_days: vec![item("h", true, 1)],
            more_same_days: NonZeroUsize::new(2),
            ..report(vec![item("a", true, 1)], 0, false)
        };
        for (report, words) in [
            (ClashReport::unchecked(), "clashes were not checked"),
            (report(Vec::new(), 0, false), "no clashes"),
            (report(Vec::new(), 0, true), "no clashes, perhaps incomplete"),
            (report(vec![item("a", true, 1)], 0, false), "overlaps with A [a] Tue 2026-12-01 all day"),
            (
                holiday,
                "overlaps with A [a] Tue 2026-12-01 all day; on the same days: H [h] Tue 2026-12-01 all day and 2 more",
            ),
            (
                report(vec![item("a", false, 1), item("b", false, 4)], 3, false),
                "overlaps with A [a] Tue 2026-12-01T00:00+00:00 to Wed 2026-12-02T00:00+00:00, B [b] Tue \
                 2026-12-01T00:00+00:00 to Wed 2026-12-02T00:00+00:00 (4 times) and 3 more",
            ),
        ] {
            assert_eq!(report.words(), words);
        }
    }
}

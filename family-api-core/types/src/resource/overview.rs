//! The overview of a family: one short document for panels, and for devices with little memory.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::calendar::ZoneName;
use crate::id::{BoardId, ColumnId, EventId, ListId, TaskId, UserId};
use crate::occurrences::LocalStart;
use crate::resource::{OccurrenceId, Priority};
use crate::timestamp::Timestamp;

/// What a member finds in the family today: at most 16 KiB of JSON.
///
/// Each list has the first records and the number of all. Titles and places have at most 100 characters, and names at
/// most 40. A longer text ends with `…`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// Identifier of the caller.
    pub me: UserId,
    /// The current day, in the time zone of the caller's profile.
    #[serde(with = "wire_date")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date")))]
    pub today: Date,
    /// The last day of the events.
    #[serde(with = "wire_date")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date")))]
    pub last_day: Date,
    /// The IANA time zone of the caller's profile.
    pub time_zone: ZoneName,
    /// Open tasks, ordered by `dueDate` (tasks without one last), creation and `id`: at most 10.
    pub open_tasks: Excerpt<TaskSummary>,
    /// Number of open tasks whose due date has passed.
    pub overdue_count: usize,
    /// Occurrences of events from `today` to `lastDay`, ordered by `startDate`, `occurrenceOf`: at most 20.
    pub events: Excerpt<OccurrenceSummary>,
    /// Whether events may be missing, also in their total number.
    pub events_cut: bool,
    /// The boards: at most 10, with at most 10 columns each.
    pub boards: Excerpt<BoardSummary>,
    /// The shopping lists: at most 20.
    pub shopping_lists: Excerpt<ListSummary>,
    /// The members of the family, ordered by `name`, `id`: at most 20.
    pub members: Excerpt<PersonSummary>,
}

/// The first records of a longer list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "{T}Excerpt"))]
#[non_exhaustive]
pub struct Excerpt<T> {
    /// The first records.
    pub items: Vec<T>,
    /// Number of all records.
    pub total: usize,
}

/// An open task in an overview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskSummary {
    /// Identifier of the task.
    pub id: TaskId,
    /// The beginning of the title.
    pub title: String,
    /// How urgent the task is.
    pub priority: Priority,
    /// When the task is due; null if it has no due date.
    pub due_date: Option<Timestamp>,
    /// The due date in the time zone of the profile: a date if the task is due at the start of that day; null if it has
    /// no due date.
    pub local_due_date: Option<LocalStart>,
    /// Whether the due date has passed.
    pub is_overdue: bool,
    /// Whether only the caller sees the task.
    pub is_private: bool,
    /// The user that the task is assigned to; null if it is unassigned.
    pub assignee: Option<PersonSummary>,
    /// The column of the task.
    pub column_id: ColumnId,
    /// The name of the board.
    pub board_name: String,
    /// The name of the column.
    pub column_name: String,
}

/// An occurrence of an event in an overview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OccurrenceSummary {
    /// Identifier of the occurrence. It equals `occurrenceOf` if the event does not recur.
    pub id: OccurrenceId,
    /// Identifier of the event.
    pub occurrence_of: EventId,
    /// The beginning of the title.
    pub title: String,
    /// When the occurrence starts.
    pub start_date: Timestamp,
    /// When the occurrence ends.
    pub end_date: Timestamp,
    /// Whether the event lasts whole days.
    pub all_day: bool,
    /// The IANA time zone of the event; null if the application keeps none.
    pub time_zone: Option<ZoneName>,
    /// When the occurrence starts in the time zone of the profile, or the first day of an all-day event.
    pub local_start: LocalStart,
    /// When the occurrence ends in the time zone of the profile, or the last day of an all-day event.
    pub local_end: LocalStart,
    /// The beginning of the place; null if there is none.
    pub location: Option<String>,
    /// The user that the event is assigned to; null if it is unassigned.
    pub assignee: Option<PersonSummary>,
    /// The users who take part: at most 8.
    pub participants: Excerpt<PersonSummary>,
}

/// A user in an overview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonSummary {
    /// Identifier of the user.
    pub id: UserId,
    /// Display name; null if the user has left the family.
    pub name: Option<String>,
}

/// A board with its columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BoardSummary {
    /// Identifier of the board.
    pub id: BoardId,
    /// Display name.
    pub name: String,
    /// Whether only the caller sees the board.
    pub is_private: bool,
    /// The columns, in their order on the board.
    pub columns: Excerpt<ColumnSummary>,
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ColumnSummary {
    /// Identifier of the column.
    pub id: ColumnId,
    /// Display name.
    pub name: String,
    /// Number of open tasks that the caller sees in the column, of all assignees.
    pub open_count: usize,
}

/// A shopping list with the number of its items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListSummary {
    /// Identifier of the list.
    pub id: ListId,
    /// Display name.
    pub name: String,
    /// Whether only the caller sees the list.
    pub is_private: bool,
    /// Number of open items that the caller sees on the list.
    pub open_count: usize,
}

impl<T> Excerpt<T> {
    /// Returns the first `max` records.
    pub fn first<R>(records: impl ExactSizeIterator<Item = R>, max: usize, summarize: impl FnMut(R) -> T) -> Self {
        let total = records.len();
        Self { items: records.take(max).map(summarize).collect(), total }
    }

    /// Returns whether records were left out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.items.len() < self.total
    }

    /// Returns at most `max` of these records, with the same number of all records.
    pub fn shortened<S>(self, max: usize, summarize: impl FnMut(T) -> S) -> Excerpt<S> {
        Excerpt { items: self.items.into_iter().take(max).map(summarize).collect(), total: self.total }
    }
}

impl<T> Default for Excerpt<T> {
    fn default() -> Self {
        Self { items: Vec::new(), total: 0 }
    }
}

/// A date as `YYYY-MM-DD`.
mod wire_date {
    use jiff::civil::Date;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::calendar::parse_date;

    pub(super) fn serialize<S: Serializer>(date: &Date, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(date)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
        parse_date(&String::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("expected a date, YYYY-MM-DD"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_overview_is_read_back_from_its_json() {
        let person = |name: &str| PersonSummary { id: name.parse().unwrap(), name: Some(name.to_owned()) };
        let overview = Overview {
            me: "ana".parse().unwrap(),
            today: "2026-11-20".parse().unwrap(),
            last_day: "2026-11-27".parse().unwrap(),
            time_zone: "Europe/Madrid".parse().unwrap(),
            open_tasks: Excerpt::default(),
            overdue_count: 0,
            events: Excerpt::default(),
            events_cut: false,
            boards: Excerpt::default(),
            shopping_lists: Excerpt::default(),
            members: Excerpt::first(["ana", "ben"].into_iter(), 1, person),
        };
        assert!(overview.members.is_cut());
        let json = serde_json::to_value(&overview).unwrap();
        assert_eq!((&json["today"], &json["lastDay"]), (&json!("2026-11-20"), &json!("2026-11-27")));
        assert_eq!(json["members"], json!({ "items": [{ "id": "ana", "name": "ana" }], "total": 2 }));
        assert_eq!(serde_json::from_value::<Overview>(json.clone()).unwrap(), overview);
        for day in ["20261120", "2026-02-30"] {
            let mut other = json.clone();
            other["today"] = json!(day);
            assert!(serde_json::from_value::<Overview>(other).is_err(), "{day}");
        }
    }
}

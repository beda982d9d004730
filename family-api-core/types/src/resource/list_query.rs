//! The query parameters of the lists of tasks and of shopping items.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::{BoardId, ColumnId, ListId, UserId};
use crate::resource::query::{parse_day, parse_flag, parse_id, parse_task_filter};
use crate::resource::{InvalidQuery, SearchText, ShoppingItem, TaskFilter, find_single};

/// A page of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Page"))]
#[serde(rename_all = "camelCase")]
pub struct RecordPage<T> {
    /// The records of this page.
    pub records: Vec<T>,
    /// Number of records on all pages.
    pub total: usize,
    /// Selects the next page, as `?cursor=`; null on the last page.
    pub next_cursor: Option<String>,
}

/// Selects tasks. A task must match every condition. The default selects every open task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskQuery {
    /// The board of the task.
    pub board: Option<BoardId>,
    /// The column of the task.
    pub column: Option<ColumnId>,
    /// The assignee of the task.
    pub assignee: Option<AssigneeFilter>,
    /// Whether the task is completed. Default: open tasks.
    pub status: TaskFilter,
    /// The first day of the due date, in the user's time zone. A task without a due date does not match.
    pub due_from: Option<Date>,
    /// The last day of the due date, in the user's time zone. A task without a due date does not match.
    pub due_to: Option<Date>,
    /// If true, only open tasks whose due date has passed match. A due date at the start of a day passes at the end of
    /// that day, because a due date without a time is stored as the start of its day.
    pub overdue: bool,
    /// Words in the title, the description or a label.
    pub text: Option<SearchText>,
}

/// Selects records by their assignee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssigneeFilter {
    /// Records that are assigned to the caller.
    Me,
    /// Records that are assigned to this user.
    User(UserId),
    /// Records without an assignee.
    Unassigned,
}

/// Selects shopping items. The default selects every item that is not checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemQuery {
    /// The list of the item.
    pub list: Option<ListId>,
    /// Whether the item is checked. Default: items that are not checked.
    pub checked: CheckedFilter,
    /// Words in the name or the category.
    pub text: Option<SearchText>,
}

/// Selects shopping items by whether they are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CheckedFilter {
    /// Items that are not checked (`?checked=false`, or no parameter).
    #[default]
    Open,
    /// Checked items (`?checked=true`).
    Checked,
    /// All items (`?checked=all`).
    All,
}

impl TaskQuery {
    /// The names of the parameters.
    pub const PARAMETERS: [&str; 8] =
        ["board", "column", "assignee", "completed", "dueFrom", "dueTo", "overdue", "text"];

    /// Parses a query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, or a parameter occurs twice.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        Ok(Self {
            board: parse_id(query, "board", "the id of a board, once")?,
            column: parse_id(query, "column", "the id of a column, once")?,
            assignee: AssigneeFilter::find(query)?,
            status: parse_task_filter(query)?,
            due_from: parse_day(query, "dueFrom")?,
            due_to: parse_day(query, "dueTo")?,
            overdue: parse_flag(query, "overdue")?,
            text: parse_text(query)?,
        })
    }

    /// Returns the parameters with their values, without those that have their default.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let parameters = [
            ("board", self.board.as_ref().map(ToString::to_string)),
            ("column", self.column.as_ref().map(ToString::to_string)),
            ("assignee", self.assignee.as_ref().map(AssigneeFilter::value)),
            ("completed", self.status.as_str().map(str::to_owned)),
            ("dueFrom", self.due_from.as_ref().map(ToString::to_string)),
            ("dueTo", self.due_to.as_ref().map(ToString::to_string)),
            ("overdue", self.overdue.then(|| true.to_string())),
            ("text", self.text.as_ref().map(|text| text.as_str().to_owned())),
        ];
        parameters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl AssigneeFilter {
    /// Returns the filter in a query string, if there is one.
    pub(super) fn find(query: &str) -> Result<Option<Self>, InvalidQuery> {
        const EXPECTED: &str = "`me`, `unassigned`, or the id of a member, once";
        Ok(match find_single(query, "assignee", EXPECTED)?.as_deref() {
            None => None,
            Some("me") => Some(Self::Me),
            Some("unassigned") => Some(Self::Unassigned),
            Some(id) => {
                let invalid = InvalidQuery { parameter: "assignee", expected: EXPECTED };
                Some(Self::User(id.parse().map_err(|_| invalid)?))
            }
        })
    }

    /// Returns the value of `?assignee=`.
    pub(super) fn value(&self) -> String {
        match self {
            Self::Me => "me".to_owned(),
            Self::Unassigned => "unassigned".to_owned(),
            Self::User(user) => user.to_string(),
        }
    }
}

impl ItemQuery {
    /// The names of the parameters.
    pub const PARAMETERS: [&str; 3] = ["list", "checked", "text"];

    /// Parses a query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, or a parameter occurs twice.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        const CHECKED: &str = "`true`, `false` or `all`, once";
        let checked = match find_single(query, "checked", CHECKED)?.as_deref() {
            None | Some("false") => CheckedFilter::Open,
            Some("true") => CheckedFilter::Checked,
            Some("all") => CheckedFilter::All,
            Some(_) => return Err(InvalidQuery { parameter: "checked", expected: CHECKED }),
        };
        let list = parse_id(query, "list", "the id of a shopping list, once")?;
        Ok(Self { list, checked, text: parse_text(query)? })
    }

    /// Returns the parameters with their values, without those that have their default.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let checked = match self.checked {
            CheckedFilter::Open => None,
            CheckedFilter::Checked => Some("true".to_owned()),
            CheckedFilter::All => Some("all".to_owned()),
        };
        let list = self.list.as_ref().map(ToString::to_string);
        let text = self.text.as_ref().map(|text| text.as_str().to_owned());
        let parameters = [("list", list), ("checked", checked), ("text", text)];
        parameters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

fn parse_text(query: &str) -> Result<Option<SearchText>, InvalidQuery> {
    find_single(query, "text", "1 to 200 characters, once")?.map(|text| text.parse()).transpose()
}

impl CheckedFilter {
    /// Returns whether the filter selects the item.
    #[must_use]
    pub fn matches(self, item: &ShoppingItem) -> bool {
        match self {
            Self::Open => !item.checked,
            Self::Checked => item.checked,
            Self::All => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query_string(parameters: &[(&str, String)]) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish()
    }

    #[test]
    fn a_task_query_is_read_back_from_its_parameters() {
        assert!(TaskQuery::default().parameters().is_empty());
        let day = "2026-11-20".parse().unwrap();
        let every = TaskQuery {
            board: Some("b".parse().unwrap()),
            column: Some("c".parse().unwrap()),
            assignee: Some(AssigneeFilter::User("ana".parse().unwrap())),
            status: TaskFilter::All,
            due_from: Some(day),
            due_to: Some(day),
            overdue: true,
            text: Some(" 50 % & mílk ".parse().unwrap()),
        };
        let names: Vec<&str> = every.parameters().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, TaskQuery::PARAMETERS);
        assert_eq!(TaskQuery::parse(&query_string(&every.parameters())), Ok(every));
        for assignee in [AssigneeFilter::Me, AssigneeFilter::Unassigned] {
            let query = TaskQuery { assignee: Some(assignee), ..TaskQuery::default() };
            assert_eq!(TaskQuery::parse(&query_string(&query.parameters())), Ok(query));
        }
    }

    #[test]
    fn an_item_query_is_read_back_from_its_parameters() {
        assert!(ItemQuery::default().parameters().is_empty());
        for checked in [CheckedFilter::Checked, CheckedFilter::All] {
            let query =
                ItemQuery { list: Some("l".parse().unwrap()), checked, text: Some("oat milk".parse().unwrap()) };
            assert_eq!(query.parameters().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ItemQuery::PARAMETERS);
            assert_eq!(ItemQuery::parse(&query_string(&query.parameters())), Ok(query));
        }
    }

    #[test]
    fn an_invalid_or_repeated_value_names_its_parameter() {
        for bad in [
            "board=",
            "board=a+b",
            "column=é",
            "assignee=",
            "assignee=Me%20",
            "completed=open",
            "dueFrom=2026-02-30",
            "dueTo=today",
            "overdue=1",
            "text=",
            "text=-",
            "text=a&text=a",
            "overdue=true&overdue=true",
        ] {
            let parameter = &bad[..bad.find('=').unwrap()];
            assert_eq!(TaskQuery::parse(bad).unwrap_err().parameter, parameter, "{bad}");
        }
        for bad in ["list=", "list=a&list=a", "checked=", "checked=1"] {
            let parameter = &bad[..bad.find('=').unwrap()];
            assert_eq!(ItemQuery::parse(bad).unwrap_err().parameter, parameter, "{bad}");
        }
    }
}

//! The query parameters of the resources.

use std::fmt;
use std::str::FromStr;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::calendar::parse_date;
use crate::resource::{ResourceKind, Task};

/// A query parameter of the resource has an invalid value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the query parameter `{parameter}` is not valid: expected {expected}")]
pub struct InvalidQuery {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The values that the parameter accepts.
    pub expected: &'static str,
}

/// A query parameter that the route does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the query parameter `{name}` does not exist here: {}", Known(.known))]
pub struct UnknownParameter {
    /// The first 64 characters of its name.
    pub name: String,
    /// The names of the parameters that the route has.
    pub known: Vec<&'static str>,
}

struct Known<'a>(&'a [&'static str]);

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("the route has none"),
            names => write!(f, "expected {}", names.join(", ")),
        }
    }
}

impl UnknownParameter {
    /// Checks that a query string has only parameters with these names.
    ///
    /// # Errors
    /// The first other parameter.
    pub fn check(query: &str, known: &[&'static str]) -> Result<(), Self> {
        let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
        names
            .find(|name| !known.contains(&&**name))
            .map_or(Ok(()), |name| Err(Self { name: name.chars().take(64).collect(), known: known.to_vec() }))
    }
}

/// A resource with its query parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadQuery {
    /// Boards with the tasks that match the filter.
    Tasks(TaskFilter),
    /// Events in a range of days. Both days are inclusive and optional.
    Events {
        /// The first day.
        from: Option<Date>,
        /// The last day.
        to: Option<Date>,
    },
    /// Occurrences of events that overlap a range of days: events with their recurrences expanded. Both days are
    /// inclusive.
    Occurrences {
        /// The first day.
        from: Date,
        /// The last day, at most 365 days after the first.
        to: Date,
    },
    /// Shopping lists.
    Shopping,
    /// Notes.
    Notes,
    /// Task statistics.
    TaskStats,
}

/// Selects tasks by their state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskFilter {
    /// Open tasks (`?completed=false`, or no parameter).
    #[default]
    Open,
    /// Completed tasks (`?completed=true`).
    Done,
    /// Open and completed tasks (`?completed=all`).
    All,
}

impl TaskFilter {
    /// Returns the value of `?completed=`, or `None` for open tasks.
    #[must_use]
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Open => None,
            Self::Done => Some("true"),
            Self::All => Some("all"),
        }
    }

    /// Returns whether the filter selects the task.
    #[must_use]
    pub fn matches(self, task: &Task) -> bool {
        match self {
            Self::Open => !task.completed,
            Self::Done => task.completed,
            Self::All => true,
        }
    }
}

impl ReadQuery {
    /// Parses the query string of a resource. Parameters of other resources are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] if a value is invalid, a parameter occurs twice, or `from` is after `to`. With `expand=true`,
    /// also if a day is missing or the range has more than 366 days.
    pub fn parse(resource: ResourceKind, query: &str) -> Result<Self, InvalidQuery> {
        Ok(match resource {
            ResourceKind::Tasks => Self::Tasks(parse_task_filter(query)?),
            ResourceKind::Events => {
                let (from, to) = (parse_day(query, "from")?, parse_day(query, "to")?);
                if from.zip(to).is_some_and(|(from, to)| from > to) {
                    return Err(InvalidQuery { parameter: "from", expected: "a day that is not after `to`" });
                }
                if parse_flag(query, "expand")? { occurrences(from, to)? } else { Self::Events { from, to } }
            }
            ResourceKind::Shopping => Self::Shopping,
            ResourceKind::Notes => Self::Notes,
            ResourceKind::TaskStats => Self::TaskStats,
        })
    }
}

/// The query `checked=true`, which the deletion of the checked items of a list requires. Without it, a client that means
/// to delete one item and leaves out its id would delete many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedItems;

impl CheckedItems {
    /// Parses the query string. Other parameters are ignored.
    ///
    /// # Errors
    /// [`InvalidQuery`] unless `checked` occurs once and is `true`.
    pub fn parse(query: &str) -> Result<Self, InvalidQuery> {
        const EXPECTED: &str = "`true`, once";
        match find_single(query, "checked", EXPECTED)?.as_deref() {
            Some("true") => Ok(Self),
            Some(_) | None => Err(InvalidQuery { parameter: "checked", expected: EXPECTED }),
        }
    }
}

pub(super) fn parse_flag(query: &str, parameter: &'static str) -> Result<bool, InvalidQuery> {
    const EXPECTED: &str = "`true` or `false`, once";
    match find_single(query, parameter, EXPECTED)?.as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(InvalidQuery { parameter, expected: EXPECTED }),
    }
}

pub(super) fn parse_id<I: FromStr>(
    query: &str,
    parameter: &'static str,
    expected: &'static str,
) -> Result<Option<I>, InvalidQuery> {
    let id = find_single(query, parameter, expected)?;
    id.map(|id| id.parse().map_err(|_| InvalidQuery { parameter, expected })).transpose()
}

/// Returns the query for the occurrences in a range of days that is already in order.
fn occurrences(from: Option<Date>, to: Option<Date>) -> Result<ReadQuery, InvalidQuery> {
    const REQUIRED: &str = "a calendar date, because `expand=true` needs both `from` and `to`";
    let from = from.ok_or(InvalidQuery { parameter: "from", expected: REQUIRED })?;
    let to = to.ok_or(InvalidQuery { parameter: "to", expected: REQUIRED })?;
    if to > from.saturating_add(365.days()) {
        return Err(InvalidQuery { parameter: "to", expected: "a day at most 365 days after `from`" });
    }
    Ok(ReadQuery::Occurrences { from, to })
}

pub(super) fn parse_task_filter(query: &str) -> Result<TaskFilter, InvalidQuery> {
    const EXPECTED: &str = "`true`, `false` or `all`, once";
    match find_single(query, "completed", EXPECTED)?.as_deref() {
        None | Some("false") => Ok(TaskFilter::Open),
        Some("true") => Ok(TaskFilter::Done),
        Some("all") => Ok(TaskFilter::All),
        Some(_) => Err(InvalidQuery { parameter: "completed", expected: EXPECTED }),
    }
}

pub(super) fn parse_day(query: &str, parameter: &'static str) -> Result<Option<Date>, InvalidQuery> {
    const EXPECTED: &str = "a calendar date, YYYY-MM-DD, once";
    match find_single(query, parameter, EXPECTED)? {
        None => Ok(None),
        Some(text) => match parse_date(&text) {
            Some(date) => Ok(Some(date)),
            None => Err(InvalidQuery { parameter, expected: EXPECTED }),
        },
    }
}

/// Returns the value of a parameter of a query string.
///
/// # Errors
/// [`InvalidQuery`] if the parameter occurs twice.
pub fn find_single(
    query: &str,
    parameter: &'static str,
    expected: &'static str,
) -> Result<Option<String>, InvalidQuery> {
    let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == parameter);
    let value = values.next().map(|(_, value)| value.into_owned());
    match values.next() {
        None => Ok(value),
        Some(_) => Err(InvalidQuery { parameter, expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(resource: ResourceKind, query: &str) -> Result<ReadQuery, &'static str> {
        ReadQuery::parse(resource, query).map_err(|invalid| invalid.parameter)
    }

    #[test]
    fn each_resource_checks_its_own_parameters_and_ignores_others() {
        assert_eq!(parse(ResourceKind::Tasks, "from=nonsense"), Ok(ReadQuery::Tasks(TaskFilter::Open)));
        assert_eq!(parse(ResourceKind::Tasks, "completed=all"), Ok(ReadQuery::Tasks(TaskFilter::All)));
        assert_eq!(parse(ResourceKind::Notes, "completed=1&from=x&from=y"), Ok(ReadQuery::Notes));
        assert_eq!(parse(ResourceKind::Tasks, "completed=false"), Ok(ReadQuery::Tasks(TaskFilter::Open)));
        for bad in ["completed=", "completed=True", "completed=False", "completed=false&completed=false"] {
            assert_eq!(parse(ResourceKind::Tasks, bad), Err("completed"), "{bad}");
        }
        for bad in [
            "from=",
            "from=2026-02-30",
            "to=2026-11-20T00:00:00Z",
            "from=2026-11-21&to=2026-11-20",
            "to=2026-11-20&to=2026-11-20",
            "from=%zz",
        ] {
            assert_eq!(parse(ResourceKind::Events, bad), Err(&bad[..bad.find('=').unwrap()]), "{bad}");
        }
        assert_eq!(parse(ResourceKind::Tasks, "expand=x"), Ok(ReadQuery::Tasks(TaskFilter::Open)));
        let same_day = parse(ResourceKind::Events, "from=2026-11-20&to=2026%2D11%2D20");
        assert!(matches!(same_day, Ok(ReadQuery::Events { from, to }) if from == to && from.is_some()));
    }

    #[test]
    fn the_first_unknown_parameter_is_named() {
        assert_eq!(UnknownParameter::check("a=1&b&a", &["a", "b"]), Ok(()));
        assert_eq!(UnknownParameter::check("", &[]), Ok(()));
        let unknown = UnknownParameter::check("a=1&A=2&c", &["a", "b"]).unwrap_err();
        assert_eq!(unknown.to_string(), "the query parameter `A` does not exist here: expected a, b");
        let long = UnknownParameter::check(&"é".repeat(65), &[]).unwrap_err();
        assert_eq!(long.name, "é".repeat(64));
        assert!(long.to_string().ends_with("the route has none"));
    }

    #[test]
    fn deletion_of_checked_items_requires_checked_true_once() {
        for good in ["checked=true", "x=1&checked=true", "checked=%74rue"] {
            assert_eq!(CheckedItems::parse(good), Ok(CheckedItems), "{good}");
        }
        for bad in
            ["", "checked", "checked=", "checked=false", "checked=True", "Checked=true", "checked=true&checked=true"]
        {
            assert_eq!(CheckedItems::parse(bad).map_err(|invalid| invalid.parameter), Err("checked"), "{bad}");
        }
    }

    #[test]
    fn expand_needs_both_days_of_a_range_of_at_most_366_days() {
        let parse = |query| parse(ResourceKind::Events, query);
        for good in ["from=2027-01-01&to=2028-01-01&expand=true", "expand=true&from=9999-12-31&to=9999-12-31"] {
            assert!(matches!(parse(good), Ok(ReadQuery::Occurrences { from, to }) if from <= to), "{good}");
        }
        assert_eq!(parse("expand=false"), Ok(ReadQuery::Events { from: None, to: None }));
        for (bad, parameter) in [
            ("expand=true", "from"),
            ("expand=true&to=2027-01-01", "from"),
            ("expand=true&from=2027-01-01", "to"),
            ("expand=true&from=2027-01-01&to=2028-01-02", "to"),
            ("expand=true&from=2027-01-02&to=2027-01-01", "from"),
            ("expand=1", "expand"),
            ("expand=", "expand"),
            ("expand=true&expand=true", "expand"),
        ] {
            assert_eq!(parse(bad), Err(parameter), "{bad}");
        }
    }
}

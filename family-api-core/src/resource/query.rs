//! The queries of the resources.

use jiff::civil::Date;

use crate::calendar::parse_date;
use crate::error::Error;
use crate::resource::{ResourceKind, Task};

/// A resource with its query parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
    /// [`Error::InvalidQuery`] if a value is invalid, a parameter occurs twice, or `from` is after `to`.
    pub fn parse(resource: ResourceKind, query: &str) -> Result<Self, Error> {
        Ok(match resource {
            ResourceKind::Tasks => Self::Tasks(task_filter(query)?),
            ResourceKind::Events => {
                let (from, to) = (day(query, "from")?, day(query, "to")?);
                if from.zip(to).is_some_and(|(from, to)| from > to) {
                    return Err(Error::InvalidQuery { parameter: "from", expected: "a day that is not after `to`" });
                }
                Self::Events { from, to }
            }
            ResourceKind::Shopping => Self::Shopping,
            ResourceKind::Notes => Self::Notes,
            ResourceKind::TaskStats => Self::TaskStats,
        })
    }
}

fn task_filter(query: &str) -> Result<TaskFilter, Error> {
    const EXPECTED: &str = "`true`, `false` or `all`, once";
    match single(query, "completed", EXPECTED)?.as_deref() {
        None | Some("false") => Ok(TaskFilter::Open),
        Some("true") => Ok(TaskFilter::Done),
        Some("all") => Ok(TaskFilter::All),
        Some(_) => Err(Error::InvalidQuery { parameter: "completed", expected: EXPECTED }),
    }
}

fn day(query: &str, parameter: &'static str) -> Result<Option<Date>, Error> {
    const EXPECTED: &str = "a calendar date, YYYY-MM-DD, once";
    match single(query, parameter, EXPECTED)? {
        None => Ok(None),
        Some(text) => match parse_date(&text) {
            Some(date) => Ok(Some(date)),
            None => Err(Error::InvalidQuery { parameter, expected: EXPECTED }),
        },
    }
}

fn single(query: &str, parameter: &'static str, expected: &'static str) -> Result<Option<String>, Error> {
    let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == parameter);
    let value = values.next().map(|(_, value)| value.into_owned());
    match values.next() {
        None => Ok(value),
        Some(_) => Err(Error::InvalidQuery { parameter, expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(resource: ResourceKind, query: &str) -> Result<ReadQuery, &'static str> {
        ReadQuery::parse(resource, query).map_err(|error| error.code().as_str())
    }

    #[test]
    fn each_resource_checks_its_own_parameters_and_ignores_others() {
        assert_eq!(code(ResourceKind::Tasks, "from=nonsense"), Ok(ReadQuery::Tasks(TaskFilter::Open)));
        assert_eq!(code(ResourceKind::Tasks, "completed=all"), Ok(ReadQuery::Tasks(TaskFilter::All)));
        assert_eq!(code(ResourceKind::Notes, "completed=1&from=x&from=y"), Ok(ReadQuery::Notes));
        assert_eq!(code(ResourceKind::Tasks, "completed=false"), Ok(ReadQuery::Tasks(TaskFilter::Open)));
        for bad in ["completed=", "completed=True", "completed=False", "completed=false&completed=false"] {
            assert_eq!(code(ResourceKind::Tasks, bad), Err("invalid_query"), "{bad}");
        }
        for bad in [
            "from=",
            "from=2026-02-30",
            "to=2026-11-20T00:00:00Z",
            "from=2026-11-21&to=2026-11-20",
            "to=2026-11-20&to=2026-11-20",
            "from=%zz",
        ] {
            assert_eq!(code(ResourceKind::Events, bad), Err("invalid_query"), "{bad}");
        }
        let same_day = code(ResourceKind::Events, "from=2026-11-20&to=2026%2D11%2D20");
        assert!(matches!(same_day, Ok(ReadQuery::Events { from, to }) if from == to && from.is_some()));
    }
}

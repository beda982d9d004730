//! What a reader asks of a resource.

use jiff::civil::Date;

use crate::calendar::parse_date;
use crate::error::Error;
use crate::resource::{ResourceKind, Task};

/// A resource together with its own query parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadQuery {
    /// Boards with the tasks that the filter lets through.
    Tasks(TaskFilter),
    /// Events of a range of days, both included, either end open.
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

/// Which tasks to show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskFilter {
    /// Open tasks (`?completed=false`, or nothing).
    #[default]
    Open,
    /// Tasks that are done (`?completed=true`).
    Done,
    /// Both (`?completed=all`).
    All,
}

impl TaskFilter {
    /// What `?completed=` says for it; nothing for open tasks.
    #[must_use]
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Open => None,
            Self::Done => Some("true"),
            Self::All => Some("all"),
        }
    }

    /// Whether to show the task.
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
    /// Reads the query string of a resource; parameters that are not its own are ignored.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] for a value that the parameter cannot have, a parameter given twice, or `from` after `to`.
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
    fn each_resource_reads_its_own_parameters_strictly_and_ignores_the_rest() {
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

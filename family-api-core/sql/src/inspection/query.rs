//! A query for one finding.

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{Datum, Values};
use jiff::SignedDuration;

use crate::inspection::Finding;
use crate::sql_connection::SqlConnection;

/// Counts the rows of a query, and selects a few of them.
pub(crate) struct Query {
    name: &'static str,
    description: String,
    count: String,
    examples: String,
    /// The arguments, as the time since the current instant.
    times: Vec<SignedDuration>,
}

impl Query {
    /// Creates a query without arguments. `rows` has one column, `id`.
    pub(crate) fn new(name: &'static str, description: impl Into<String>, rows: &str) -> Self {
        Self {
            name,
            description: description.into(),
            count: format!("SELECT count(*) FROM ({rows}) AS found"),
            examples: format!("SELECT found.id FROM ({rows}) AS found ORDER BY 1 LIMIT {}", Finding::MAX_EXAMPLES),
            times: Vec::new(),
        }
    }

    /// Adds an argument: the current instant plus `hours`.
    pub(super) fn at(mut self, hours: i64) -> Self {
        self.times.push(SignedDuration::from_hours(hours));
        self
    }

    /// Returns the finding, or `None` if the query has no rows.
    pub(crate) async fn find(
        &'static self,
        connection: &mut impl SqlConnection,
        now: Timestamp,
    ) -> Result<Option<Finding>, StorageError> {
        let times: Vec<Timestamp> = self.times.iter().map(|time| now.saturating_add(*time)).collect();
        let arguments = || times.iter().map(Datum::of).collect();
        let row = connection.find_row(&self.count, arguments()).await?;
        let count: i64 = row.map_or(Ok(0), |row| Values::of(&row).take())?;
        if count == 0 {
            return Ok(None);
        }
        let rows = connection.find_rows(&self.examples, arguments()).await?;
        let examples: Result<_, _> = rows.iter().map(|row| Values::of(row).take()).collect();
        Ok(Some(Finding {
            name: self.name.to_owned(),
            description: self.description.clone(),
            count: count.try_into().map_err(StorageError::corrupt)?,
            examples: examples?,
        }))
    }
}

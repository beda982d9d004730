//! Rows of one kind that are stored together.

use std::collections::HashSet;

use crate::storage::bulk::Kind;
use crate::storage::bulk::batch::Row;
use crate::storage::bulk::names::{Name, id, named};

/// Rows of one kind, in the order of the load.
pub(in crate::storage) struct Rows<'r> {
    rows: &'r [Row],
    pub(in crate::storage) kind: &'static Kind,
}

impl<'r> Rows<'r> {
    /// The rows, which are of one kind; `None` where there are none.
    pub(super) fn of(rows: &'r [Row]) -> Option<Self> {
        Some(Self { rows, kind: rows.first()?.kind })
    }

    /// A JSON array of [rows](super::row::row).
    pub(in crate::storage) fn json(&self) -> String {
        let rows: Vec<&str> = self.rows.iter().map(|row| row.json.as_str()).collect();
        ["[", &rows.join(","), "]"].concat()
    }

    /// Which record each row is.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "PostgreSQL alone takes numbers by themselves"))]
    pub(in crate::storage) fn numbers(&self) -> Vec<i64> {
        self.rows.iter().map(|row| row.number.cast_signed()).collect()
    }

    /// The id of each record, and which it is.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "SQLite alone takes ids by themselves"))]
    pub(in crate::storage) fn ids(&self) -> Vec<(&'r str, u64)> {
        self.rows.iter().map(|row| (id(&row.record), row.number)).collect()
    }

    /// Whatever the records name, each once.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "SQLite alone counts before the end"))]
    pub(in crate::storage) fn named(&self) -> HashSet<Name<'r>> {
        self.rows.iter().flat_map(|row| named(&row.record)).flatten().collect()
    }
}

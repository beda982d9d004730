//! Rows of one kind that are stored together.

use crate::storage::Record;
use crate::storage::bulk::Kind;
use crate::storage::bulk::batch::Row;

/// Rows of one kind, in the order of the load.
pub(in crate::storage) struct Rows {
    pub(in crate::storage) kind: &'static Kind,
    /// A JSON array of [rows](super::row::row).
    pub(in crate::storage) json: String,
    /// Which record each row is.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "PostgreSQL alone finds misfits at the end"))]
    pub(in crate::storage) numbers: Vec<i64>,
}

impl Rows {
    /// The rows by their kinds, parents first.
    pub(super) fn by_kind(rows: &[Row]) -> Vec<Self> {
        let mut rows: Vec<&Row> = rows.iter().collect();
        rows.sort_by_cached_key(|row| Record::KINDS.iter().position(|kind| *kind == row.kind.name));
        rows.chunk_by(|one, next| one.kind.name == next.kind.name).filter_map(Self::of).collect()
    }

    fn of(rows: &[&Row]) -> Option<Self> {
        let texts: Vec<&str> = rows.iter().map(|row| row.json.as_str()).collect();
        Some(Self {
            kind: rows.first()?.kind,
            json: ["[", &texts.join(","), "]"].concat(),
            numbers: rows.iter().map(|row| row.number.cast_signed()).collect(),
        })
    }
}

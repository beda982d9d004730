//! The statements of a kind of record, from its columns and conditions.

use crate::resource::{NoteCategory, Person};
use crate::storage::sql::writes::record_bound::{self, BoundStatements};
use crate::storage::sql::writes::{Columns, SqlKind};
use crate::storage::sql::{Argument, assignments, columns};
use crate::storage::{Member, record::value::ColumnValue};

/// The statements that find and store records of a kind.
pub(in crate::storage) struct Statements {
    /// Returns the bound or the count of the records of the kind, the record `$2`, if the user sees it, and the records
    /// that its rules need.
    pub(in crate::storage) facts: String,
    pub(in crate::storage) insert: String,
    pub(in crate::storage) update: String,
    pub(in crate::storage) delete: String,
    /// `None` if the [facts](Self::facts) count the records.
    pub(in crate::storage) bound: Option<BoundStatements>,
}

impl Statements {
    pub(in crate::storage) fn of<R: SqlKind>() -> Self {
        let table = R::TABLE.name;
        let visible = R::VISIBLE.map(|condition| format!(" AND {condition}")).unwrap_or_default();
        let empty = R::EMPTY.map(|condition| format!(" AND {condition}")).unwrap_or_default();
        let names: Vec<_> = R::COLUMNS.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let values: Vec<_> = (2..2 + names.len()).map(|number| format!("${number}")).collect();
        Self {
            facts: format!(
                "SELECT {bound}, {record}{facts}
                FROM families f
                LEFT JOIN {table} t ON t.family_id = $1 AND t.id = $2{visible}
                {joins}
                WHERE f.id = $1",
                bound = record_bound::expression::<R>(),
                record = columns::<R>("t"),
                facts = R::FACTS.iter().map(Columns::sql).collect::<String>(),
                joins = R::JOINS,
            ),
            insert: format!(
                "INSERT INTO {table} (family_id, {names}) VALUES ($1, {values}) ON CONFLICT DO NOTHING",
                names = names.join(", "),
                values = values.join(", "),
            ),
            update: format!(
                "UPDATE {table} AS t SET {assignments} WHERE t.family_id = $1 AND t.id = $2{visible}",
                assignments = assignments::<R>(R::FIXED, first_number::<R>()),
            ),
            delete: format!("DELETE FROM {table} AS t WHERE t.family_id = $1 AND t.id = $2{visible}{empty}"),
            bound: BoundStatements::of::<R>(),
        }
    }

    /// Returns the arguments with which every statement begins, except for the insertion.
    pub(super) fn arguments<'a, R: SqlKind>(member: &'a Member, id: &'a R::Id) -> Vec<Argument<'a>> {
        let mut arguments = vec![Argument::of(&member.family), ColumnValue::argument(Some(id))];
        if R::VISIBLE.is_some() {
            arguments.push(Argument::of(&member.user));
        }
        arguments
    }
}

/// Returns the number of the first argument after those of [`Statements::arguments`].
const fn first_number<R: SqlKind>() -> usize {
    if R::VISIBLE.is_some() { 4 } else { 3 }
}

impl Columns {
    fn sql(&self) -> String {
        match self {
            Self::Person(table) => format!(", {}", columns::<Person>(table)),
            Self::Category(table) => format!(", {}", columns::<NoteCategory>(table)),
            Self::Expression(expression) => format!(", {expression}"),
        }
    }
}

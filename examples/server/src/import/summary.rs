//! The summary of an import.

use std::fmt;
use std::time::{Duration, Instant};

use family_api_core::storage::KindChanges;
use serde_json::{Map, Value, json};

/// The changes to the records of each type, and the duration.
pub(crate) struct Summary {
    changes: Vec<KindChanges>,
    form: Form,
    elapsed: Duration,
}

/// The form of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Only created records.
    Import,
    /// All changes.
    Update,
    /// As an update, with a last line which says that nothing was changed.
    Preview,
}

impl Summary {
    pub(super) fn new(changes: Vec<KindChanges>, form: Form, began: Instant) -> Self {
        Self { changes, form, elapsed: began.elapsed() }
    }

    /// Returns the deleted records, such as `user: 1, note: 3`. `None` if there are none.
    pub(super) fn deleted(&self) -> Option<String> {
        let deleted = self.changes.iter().filter(|changes| changes.deleted > 0);
        let deleted: Vec<String> = deleted.map(|changes| format!("{}: {}", changes.kind, changes.deleted)).collect();
        (!deleted.is_empty()).then(|| deleted.join(", "))
    }

    /// Returns the numbers as a JSON object with an object for each type.
    pub(super) fn json(&self) -> Value {
        let kinds = self.changes.iter().map(|changes| {
            let KindChanges { kind, created, changed, unchanged, deleted, .. } = changes;
            let numbers = json!({ "created": created, "changed": changed, "unchanged": unchanged, "deleted": deleted });
            ((*kind).to_owned(), numbers)
        });
        kinds.collect::<Map<_, _>>().into()
    }

    /// Returns the row of a table.
    fn row(&self, name: &str, numbers: [u64; 4]) -> String {
        let [created, changed, unchanged, deleted] = numbers;
        match self.form {
            Form::Import => format!("{name:<14}{created:>9}"),
            Form::Update | Form::Preview => {
                format!("{name:<14}{created:>9}{changed:>9}{unchanged:>11}{deleted:>9}")
            }
        }
    }

    /// Returns the number of records in the file, of each type.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.changes.iter().map(|changes| (changes.kind, changes.created + changes.changed + changes.unchanged))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.form != Form::Import {
            writeln!(f, "{:<14}{:>9}{:>9}{:>11}{:>9}", "", "created", "changed", "unchanged", "deleted")?;
        }
        let mut totals = [0; 4];
        for KindChanges { kind, created, changed, unchanged, deleted, .. } in &self.changes {
            let numbers = [*created, *changed, *unchanged, *deleted];
            writeln!(f, "{}", self.row(kind, numbers))?;
            totals = std::array::from_fn(|column| totals[column] + numbers[column]);
        }
        write!(f, "{}  in {:.1} s", self.row("total", totals), self.elapsed.as_secs_f64())?;
        if self.form == Form::Preview { write!(f, "\nnothing was changed") } else { Ok(()) }
    }
}

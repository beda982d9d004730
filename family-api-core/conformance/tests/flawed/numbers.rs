//! Ids that are numbers.

use std::collections::BTreeMap;
use std::sync::Mutex;

use family_api_core::id::Id;
use family_api_core::resource::RecordKind;
use family_api_core::storage::{Member, Operation, Record, Writable};
use serde_json::{Value, json};

use crate::flawed::rows::Rows;

/// The last id that was assigned to a record of each kind.
#[derive(Default)]
pub(super) struct Numbers(Mutex<BTreeMap<RecordKind, u32>>);

impl Numbers {
    fn next(&self, kind: RecordKind) -> u32 {
        let mut numbers = self.0.lock().unwrap();
        let number = numbers.entry(kind).or_default();
        *number += 1;
        *number
    }
}

impl Rows {
    /// Panics if ids are numbers, and this one is neither a number nor the id that no host gives a record.
    pub(super) fn check_id(&self, id: &str) {
        let is_expected = id.parse::<u64>().is_ok() || id == "not_of_the_host";
        assert!(self.numbers.is_none() || is_expected, "the id {id} is no number");
    }

    pub(super) fn check_member(&self, member: &Member) {
        self.check_id(member.user.as_str());
        self.check_id(member.family.as_str());
    }

    /// Checks each id of a record, except for that of a key.
    pub(super) fn check_ids(&self, record: &Record) {
        self.check_fields(&json!(record), !matches!(record, Record::Key(_)));
    }

    fn check_fields(&self, record: &Value, is_own_checked: bool) {
        for (name, value) in record.as_object().unwrap() {
            if let Some(id) = value.as_str()
                && (name.ends_with("Id") || name == "id" && is_own_checked)
            {
                self.check_id(id);
            }
        }
    }

    /// Gives a new record the next id of its kind, if ids are numbers. Checks every other id.
    pub(super) fn assign_id<R: Writable>(&self, operation: &mut Operation<R>) {
        let Some(numbers) = &self.numbers else {
            return;
        };
        self.check_id(operation.id().text());
        if let Operation::Create { id, .. } | Operation::Update { new_id: Some(id), .. } = operation {
            *id = numbers.next(R::KIND).to_string().parse().unwrap();
        }
    }
}

/// Returns a record with another id.
pub(super) fn with_id<R: Writable>(record: &R, id: &R::Id) -> R {
    let mut json = json!(record);
    json["id"] = json!(id);
    serde_json::from_value(json).unwrap()
}

/// Swaps the ids of the first two tasks.
pub(super) fn swap_ids(records: &mut [Record]) {
    let mut tasks = records.iter_mut().filter_map(|record| match record {
        Record::Task(task) => Some(&mut task.id),
        _ => None,
    });
    if let (Some(first), Some(second)) = (tasks.next(), tasks.next()) {
        std::mem::swap(first, second);
    }
}

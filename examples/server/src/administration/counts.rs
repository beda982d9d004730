//! Describes how many records of each kind a command deletes.

use family_api_core::storage::KindCount;

/// Returns the numbers of the kinds that are not 0, such as `task: 3, note: 1`.
pub(super) fn describe(counts: &[KindCount]) -> String {
    let counts = counts.iter().filter(|count| count.count > 0);
    let counts: Vec<String> = counts.map(|count| format!("{}: {}", count.kind, count.count)).collect();
    if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") }
}

/// Returns all numbers as a JSON object.
pub(super) fn json(counts: &[KindCount]) -> serde_json::Map<String, serde_json::Value> {
    counts.iter().map(|count| (count.kind.to_owned(), count.count.into())).collect()
}

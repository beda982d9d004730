//! The values that a change has replaced, so that an assistant can say what was there, and write it back.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use crate::answer::one_line;

/// Maximum length of a value that is repeated, in characters.
const MAX_VALUE: usize = 1_000;

/// The values of a record as the arguments of the tool set them, by the names of the arguments.
pub(crate) type Values = Vec<(&'static str, Value)>;

// The values that were replaced.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Before {
    // By the names of the arguments. `null` if there was none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    before: BTreeMap<String, Value>,
    // The arguments whose values are too long to repeat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before_cut: Vec<&'static str>,
}

impl Before {
    /// Compares the values before and after a change. Both have the same names in the same order.
    pub(crate) fn of(before: Values, after: &Values) -> Self {
        let mut found = Self::default();
        for ((name, old), _) in before.into_iter().zip(after).filter(|((_, old), (_, new))| old != new) {
            if length(&old) > MAX_VALUE {
                found.before_cut.push(name);
            } else {
                found.before.insert(name.to_owned(), old);
            }
        }
        found
    }

    /// Leaves a value out.
    pub(crate) fn remove(&mut self, name: &str) {
        self.before.remove(name);
        self.before_cut.retain(|cut| *cut != name);
    }

    /// Returns the values as one line, which is empty if nothing was replaced.
    pub(crate) fn line(&self) -> String {
        let values = self.before.iter().map(|(name, value)| format!("{name} {}", words(value)));
        let cut = self.before_cut.iter().map(|name| format!("{name} too long to repeat"));
        let mut line = String::new();
        for part in values.chain(cut) {
            let _ = write!(line, "{}{part}", if line.is_empty() { "Before: " } else { "; " });
        }
        if line.is_empty() { line } else { line + ".\n" }
    }
}

/// Returns the length of the texts in a value, in characters.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(elements) => elements.iter().map(length).sum(),
        _ => 0,
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Array(elements) if elements.is_empty() => "none".to_owned(),
        Value::String(text) if text.is_empty() => "empty".to_owned(),
        Value::String(text) => one_line(text, MAX_VALUE),
        Value::Array(elements) => elements.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn replaced_values_are_whole_or_left_out() {
        let longest = "b\n".repeat(500);
        let before = vec![
            ("title", json!("a")),
            ("order", json!(1)),
            ("list", Value::Null),
            ("tags", json!(["x\ny", "z"])),
            ("labels", json!([])),
            ("content", json!(longest)),
            ("description", json!(format!("{longest}!"))),
            ("participants", json!([longest, "z"])),
            ("emoji", json!("")),
        ];
        let after: Values = before.iter().map(|(name, _)| (*name, json!(name))).collect();
        let after = [vec![("title", json!("a"))], after[1..].to_vec()].concat();
        let mut found = Before::of(before.clone(), &after);
        let values = json!({
            "content": longest, "emoji": "", "labels": [], "list": null, "order": 1, "tags": ["x\ny", "z"],
        });
        assert_eq!(json!(found), json!({ "before": values, "beforeCut": ["description", "participants"] }));
        found.remove("content");
        found.remove("description");
        let line =
            "Before: emoji empty; labels none; list none; order 1; tags x y, z; participants too long to repeat.\n";
        assert_eq!(found.line(), line);
        let same = Before::of(before.clone(), &before);
        assert_eq!((same.line().as_str(), json!(same)), ("", json!({})));
    }
}

//! The values that a change has replaced, so that an assistant can say what was there.

use std::fmt::Write;

use family_api_core::Error;
use family_api_core::storage::StorageError;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::answer::one_line;
use crate::error::ToolError;
use crate::records::MAX_LINE;

/// Maximum length of a replaced text, in characters.
const MAX_TEXT: usize = 300;

/// The members of an answer that are no values of its record.
const NO_VALUES: [&str; 4] = ["id", "etag", "scope", "clashes"];

/// Texts of a record that an answer shows only if they were replaced.
pub(crate) type Texts<'a> = Vec<(&'static str, Option<&'a str>)>;

// The values that were replaced, by the names of the arguments. `null` if there was none.
#[derive(Default, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Before(Map<String, Value>);

impl Before {
    /// Compares what an answer shows of a record before and after a change.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if a record cannot be serialized.
    pub(crate) fn of(before: &impl Serialize, after: &impl Serialize) -> Result<Self, ToolError> {
        let (before, after) = (members(before)?, members(after)?);
        let names = before.keys().chain(after.keys()).filter(|name| !NO_VALUES.contains(&name.as_str()));
        let is_replaced = |name: &&String| before.get(*name) != after.get(*name);
        let value = |name: &String| (name.clone(), before.get(name).cloned().unwrap_or_default());
        Ok(Self(names.filter(is_replaced).map(value).collect()))
    }

    /// Adds the texts that were replaced.
    pub(crate) fn with_texts(mut self, before: &Texts<'_>, after: &Texts<'_>) -> Self {
        for ((name, old), _) in before.iter().zip(after).filter(|((_, old), (_, new))| old != new) {
            self.0.insert((*name).to_owned(), old.map(|text| one_line(text, MAX_TEXT)).into());
        }
        self
    }

    /// Leaves a value out.
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the values as one line, which is empty if nothing was replaced.
    pub(crate) fn line(&self) -> String {
        let mut line = String::new();
        for (name, value) in &self.0 {
            let _ = write!(line, "{}{name} {}", if line.is_empty() { "Before: " } else { "; " }, words(value));
        }
        if line.is_empty() { line } else { line + ".\n" }
    }
}

fn members(record: &impl Serialize) -> Result<Map<String, Value>, ToolError> {
    match serde_json::to_value(record).map_err(StorageError::backend).map_err(Error::from)? {
        Value::Object(members) => Ok(members),
        _ => Ok(Map::new()),
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) if text.is_empty() => "empty".to_owned(),
        Value::String(text) => one_line(text, MAX_TEXT),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(words).collect();
            one_line(&elements.join(", "), MAX_LINE)
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(content: Option<&str>) -> Texts<'_> {
        vec![("content", content), ("emoji", None)]
    }

    #[test]
    fn replaced_values_are_named_in_one_line() {
        let before = json!({ "id": "1", "title": "a", "order": 1, "tags": ["x", "y"], "pinned": true, "etag": "old" });
        let after = json!({ "id": "2", "title": "a", "order": 2, "pinned": false, "list": "l", "etag": "new" });
        let long = "b\n".repeat(400);
        let found = Before::of(&before, &after).unwrap().with_texts(&texts(Some(long.as_str())), &texts(None));
        let content = format!("{}…", "b ".repeat(150));
        let values = json!({ "content": content, "list": null, "order": 1, "pinned": true, "tags": ["x", "y"] });
        assert_eq!(json!(found), values);
        let line = format!("Before: content {content}; list none; order 1; pinned true; tags x, y.\n");
        assert_eq!(found.line(), line);
        assert_eq!(Before::of(&after, &after).unwrap().with_texts(&texts(None), &texts(None)).line(), "");
    }
}

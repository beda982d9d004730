//! Formats JSON for snapshots: a value that fits on a line has no line breaks, so that a diff shows what a line is of.

use serde_json::{Value, json};

/// Maximum length of a value without line breaks, in bytes, including the indent.
const WIDTH: usize = 110;

/// Returns the JSON of a value, with the members of objects in alphabetical order.
pub(crate) fn json_lines(value: &Value) -> String {
    indented(value, 0)
}

fn indented(value: &Value, indent: usize) -> String {
    let line = value.to_string();
    if indent + line.len() <= WIDTH {
        return line;
    }
    let inner = indent + 2;
    let (parts, [open, close]): (Vec<String>, _) = match value {
        Value::Object(members) => {
            let member = |(name, value): (&String, _)| format!("{}: {}", json!(name), indented(value, inner));
            (members.iter().map(member).collect(), ["{", "}"])
        }
        Value::Array(elements) => (elements.iter().map(|element| indented(element, inner)).collect(), ["[", "]"]),
        _ => return line,
    };
    let separator = format!(",\n{:inner$}", "");
    format!("{open}\n{:inner$}{}\n{:indent$}{close}", "", parts.join(&separator), "")
}

//! Functions that create bodies and list the pointers of their faults.

use crate::validation::{Faults, Json};

/// Parses a body that must be JSON.
pub(crate) fn body(json: &str) -> Json {
    Json::parse(json.as_bytes()).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Creates a body with one member.
pub(crate) fn body_with(member: &str, value: &str) -> Json {
    body(&format!(r#"{{"{member}":{value}}}"#))
}

/// Creates a JSON string of `count` characters. Each takes four bytes in UTF-8 and two units in UTF-16.
pub(crate) fn emojis(count: usize) -> String {
    format!(r#""{}""#, "😀".repeat(count))
}

/// Creates a JSON array of `count` strings.
pub(crate) fn string_array(count: usize) -> String {
    format!("[{}]", vec![r#""w""#; count].join(","))
}

pub(crate) fn pointers<T: std::fmt::Debug>(read: Result<T, Faults>) -> Vec<String> {
    read.unwrap_err().listed().iter().map(|fault| fault.pointer.clone()).collect()
}

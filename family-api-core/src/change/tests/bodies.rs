//! Bodies, and where their faults are.

use crate::change::{Faults, Json};

/// A body that must be JSON.
pub(crate) fn body(json: &str) -> Json {
    Json::parse(json.as_bytes()).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// A body with one member.
pub(crate) fn with(member: &str, value: &str) -> Json {
    body(&format!(r#"{{"{member}":{value}}}"#))
}

/// A JSON string of so many characters, each of them four bytes of UTF-8 and two units of UTF-16.
pub(crate) fn emojis(count: usize) -> String {
    format!(r#""{}""#, "😀".repeat(count))
}

/// A JSON array of so many strings.
pub(crate) fn words(count: usize) -> String {
    format!("[{}]", vec![r#""w""#; count].join(","))
}

pub(crate) fn pointers<T: std::fmt::Debug>(read: Result<T, Faults>) -> Vec<String> {
    read.unwrap_err().listed().iter().map(|fault| fault.pointer.clone()).collect()
}

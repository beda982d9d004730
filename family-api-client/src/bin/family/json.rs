//! Records for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;

use family_api_client::{EntityTag, RawJson};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::text::steers_a_terminal;

/// A value as one JSON document, which says the same on a terminal as in a file.
pub(crate) fn document(value: &impl Serialize) -> io::Result<String> {
    Ok(escaped(&serde_json::to_string(value)?))
}

/// What the API has answered, with all that it says, also what this version does not know.
pub(crate) fn answer(json: &RawJson) -> String {
    escaped(json.as_str())
}

/// The record that the API has answered, with the entity tag of its version as the member `etag`; `None` if it is no
/// object.
pub(crate) fn versioned(json: &RawJson) -> Option<String> {
    let mut members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(json.as_str()).ok()?;
    members.insert("etag".to_owned(), to_raw_value(&json.etag().map(EntityTag::as_str)).ok()?);
    document(&members).ok()
}

/// Escapes all in strings that would steer a terminal. JSON itself asks for that below U+0020, where it is white space
/// elsewhere.
fn escaped(json: &str) -> String {
    let mut document = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter >= ' ' && steers_a_terminal(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // A string takes whatever is written to it.
                let _ = write!(document, "\\u{unit:04x}");
            }
        } else {
            document.push(letter);
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_string_steers_a_terminal_and_it_reads_back_as_it_was() {
        for text in ["", "plain", "\u{1b}[31m", "\u{9b}31m", "a\u{7f}b\u{202e}c", "👩‍👧 \"q\"\n"] {
            let json = document(&text).unwrap();
            assert!(!json.contains(steers_a_terminal), "{json:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
        assert_eq!(document(&"👩‍👧\u{9b}").unwrap(), "\"👩‍👧\\u009b\"");
        assert_eq!(escaped("[\n\t\"a\"]"), "[\n\t\"a\"]");
    }
}

//! JSON output.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;

use family_api_client::{EntityTag, RawJson};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::text::is_terminal_control;

/// Serializes a value as one JSON document. Control characters in strings are escaped.
pub(crate) fn document(value: &impl Serialize) -> io::Result<String> {
    Ok(escaped(&serde_json::to_string(value)?))
}

/// Serializes a value as one indented JSON document. Control characters in strings are escaped.
pub(crate) fn indented(value: &impl Serialize) -> io::Result<String> {
    Ok(escaped(&serde_json::to_string_pretty(value)?))
}

/// Returns the JSON of a response, including fields that this version does not know. Escapes control characters.
pub(crate) fn response(json: &RawJson) -> String {
    escaped(json.as_str())
}

/// Returns the JSON of a response with the entity tag as an additional member `etag`. JSON that is not an object has no
/// members, and is returned without the tag.
pub(crate) fn response_with_etag(json: &RawJson) -> io::Result<String> {
    let Ok(mut members) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(json.as_str()) else {
        return Ok(response(json));
    };
    members.insert("etag".to_owned(), to_raw_value(&json.etag().map(EntityTag::as_str))?);
    document(&members)
}

/// Escapes the control characters of JSON text that are not escaped yet.
///
/// Characters below U+0020 are copied: outside strings they are white space, and inside strings JSON allows only their
/// escaped form.
fn escaped(json: &str) -> String {
    let mut document = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter >= ' ' && is_terminal_control(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
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
    fn control_characters_are_escaped_and_decode_to_the_same_text() {
        for text in ["", "plain", "\u{1b}[31m", "\u{9b}31m", "a\u{7f}b\u{202e}c", "👩‍👧 \"q\"\n"] {
            let json = document(&text).unwrap();
            assert!(!json.contains(is_terminal_control), "{json:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
        assert_eq!(document(&"👩‍👧\u{9b}").unwrap(), "\"👩‍👧\\u009b\"");
        assert_eq!(escaped("[\n\t\"a\"]"), "[\n\t\"a\"]");
    }
}

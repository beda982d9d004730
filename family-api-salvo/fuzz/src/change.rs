//! The bodies of writes (HTTP reference, "Writes").

use std::fmt::Debug;

use family_api_core::change::{Faults, FieldFault, Json, NoteChange, ProfileChange, TaskUpdate};
use family_api_core::key::KeyDraft;
use family_api_core::{ErrorCode, Timestamp};
use serde::Serialize;
use serde_json::Value;

/// Parses a change from a body.
type Read<T> = fn(Json) -> Result<T, Faults>;

/// The first letter selects the type of the change: `t`ask, `n`ote, `p`rofile or `k`ey.
///
/// An accepted change serializes to a body that parses to the same change. An error in one field neither hides nor
/// causes an error in another field.
pub fn change_body(data: &[u8]) {
    let Some((kind, body)) = data.split_first() else { return };
    strict(body);
    match kind {
        b't' => read(body, TaskUpdate::from_body, TaskUpdate::check),
        b'n' => read(body, NoteChange::from_body, NoteChange::check),
        b'p' => read(body, ProfileChange::from_body, |_| Ok(())),
        b'k' => read(body, |body| KeyDraft::from_body(body, now()), |draft| draft.check(now())),
        _ => {}
    }
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_795_169_730_123).unwrap()
}

fn read<T: Serialize + PartialEq + Debug>(body: &[u8], read: Read<T>, check: fn(&T) -> Result<(), Faults>) {
    let Ok(json) = Json::parse(body) else { return };
    let value: Value = serde_json::from_slice(body).unwrap();
    match read(json) {
        Ok(change) => {
            assert_eq!(check(&change), Ok(()));
            let written = serde_json::to_vec(&change).unwrap();
            assert_eq!(read(Json::parse(&written).unwrap()), Ok(change), "{}", String::from_utf8_lossy(&written));
            assert!(value.is_object());
        }
        Err(faults) => faulty(&value, &faults),
    }
    if let Some(members) = value.as_object().filter(|members| !members.contains_key("type")) {
        let together: Vec<Faults> = members.iter().map(|(name, value)| faults_of(name, value, read)).collect();
        let all = faults(&value, read);
        let required = required(&all);
        assert_eq!(all.count() - required, together.iter().map(Faults::count).sum::<usize>(), "{value}");
        let listed: Vec<&FieldFault> = together.iter().flat_map(Faults::listed).collect();
        assert!(all.listed().iter().all(|fault| fault.detail == "is required" || listed.contains(&fault)), "{value}");
    }
}

/// Every listed error refers to a present or a required member. The list is short.
fn faulty(body: &Value, faults: &Faults) {
    assert!(!faults.listed().is_empty() && faults.listed().len() <= faults.count().min(Faults::MAX_LISTED), "{body}");
    for FieldFault { pointer, detail } in faults.listed() {
        let is_there = pointer.ends_with('…') || body.pointer(pointer).is_some();
        assert!(!detail.is_empty() && (detail == "is required") != is_there, "{pointer}: {detail}");
    }
}

/// Returns the errors of a body with only this member, without the errors of missing members.
fn faults_of<T>(name: &str, value: &Value, read: Read<T>) -> Faults {
    let alone = Value::Object([(name.to_owned(), value.clone())].into_iter().collect());
    let faults = faults(&alone, read);
    let is_of_member = |fault: &&FieldFault| fault.detail != "is required";
    faults.listed().iter().filter(is_of_member).cloned().collect::<Vec<_>>().into()
}

/// Returns the number of missing members.
fn required(faults: &Faults) -> usize {
    faults.listed().iter().filter(|fault| fault.detail == "is required").count()
}

fn faults<T>(body: &Value, read: Read<T>) -> Faults {
    read(Json::parse(body.to_string().as_bytes()).unwrap()).err().unwrap_or_default()
}

/// JSON is accepted exactly if `serde_json` accepts it, except for too deep nesting and duplicate names.
fn strict(body: &[u8]) {
    let known = serde_json::from_slice::<Value>(body);
    match (Json::parse(body), known) {
        (Ok(json), Ok(known)) => {
            assert!(same(&json, &known), "{known}");
            assert_eq!(depth_and_members(body), (depth(&known), members(&known)), "{known}");
            assert!(depth(&known) <= 32, "{known}");
        }
        (Ok(json), Err(error)) => panic!("{json:?}, and not {error}"),
        (Err(error), Ok(known)) => {
            let (depth, written) = depth_and_members(body);
            assert!(depth > 32 || written > members(&known), "{error}: {known}");
            assert_eq!(error.code(), ErrorCode::InvalidJson);
        }
        (Err(error), Err(_)) => assert_eq!(error.code(), ErrorCode::InvalidJson),
    }
}

fn same(json: &Json, known: &Value) -> bool {
    match (json, known) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(value), Value::Bool(known)) => value == known,
        (Json::Integer(0), Value::Number(known)) => known.as_f64() == Some(0.0),
        (Json::Integer(value), Value::Number(known)) => known.as_i64() == Some(*value),
        (Json::Number, Value::Number(known)) => !known.is_i64(),
        (Json::String(text), Value::String(known)) => text == known,
        (Json::Array(elements), Value::Array(known)) => {
            elements.len() == known.len() && elements.iter().zip(known).all(|(element, known)| same(element, known))
        }
        (Json::Object(members), Value::Object(known)) => {
            let found = |(name, value): &(String, Json)| known.get(name).is_some_and(|known| same(value, known));
            members.len() == known.len() && members.iter().all(found)
        }
        _ => false,
    }
}

fn depth(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

fn members(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(members).sum(),
        Value::Object(object) => object.len() + object.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// Returns the nesting depth and the number of members, by counting brackets and colons outside strings.
fn depth_and_members(body: &[u8]) -> (usize, usize) {
    let (mut open, mut deepest, mut members, mut in_string, mut escaped) = (0_usize, 0, 0, false, false);
    let mut empty = false;
    for byte in body.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b':' => members += 1,
            b'[' | b'{' => open += 1,
            b']' | b'}' => {
                deepest = deepest.max(open + usize::from(!empty));
                open -= 1;
            }
            _ => {}
        }
        empty = !in_string && matches!(byte, b'[' | b'{');
    }
    (deepest.max(1), members)
}

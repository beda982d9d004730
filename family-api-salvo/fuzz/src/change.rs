//! The bodies of writes (HTTP reference, "Writes").

use std::fmt::Debug;

use family_api_core::Timestamp;
use family_api_core::change::{Editable, ProfileChange};
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task};
use family_api_core::validation::{Faults, FieldFault, Json};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A function that parses a change from a body.
type Parse<T> = fn(Json) -> Result<T, Faults>;

/// The first byte selects the type of the body: `p` for a profile, `k` for a key, or a letter of a kind of record. The
/// capital letter selects the body of a new record of this kind.
///
/// Checks that an accepted change serializes to a body that parses to the same change, and that an error in one field
/// neither hides nor causes an error in another field.
pub fn change_body(data: &[u8]) {
    let Some((kind, body)) = data.split_first() else { return };
    check_json(body);
    let check_record = match kind.to_ascii_lowercase() {
        b't' => check_record::<Task>,
        b'n' => check_record::<Note>,
        b'e' => check_record::<Event>,
        b'i' => check_record::<ShoppingItem>,
        b'b' => check_record::<Board>,
        b'c' => check_record::<Column>,
        b'l' => check_record::<ShoppingList>,
        b'g' => check_record::<NoteCategory>,
        b'p' => |body: &[u8], _| check_body(body, ProfileChange::from_body),
        b'k' => |body: &[u8], _| check_body(body, |body| KeyDraft::from_body(body, &KeyMode::ALL, now())),
        _ => return,
    };
    check_record(body, kind.is_ascii_uppercase());
}

fn check_record<R: Editable>(body: &[u8], is_new: bool) {
    if is_new {
        check_body(body, |body| R::parse_new(Some("container"), body).map(Body));
    } else {
        check_body(body, R::parse_update);
    }
}

/// The fields of a new record. Serializes without the container, which is in the path and not in the body.
#[derive(Debug, PartialEq)]
struct Body<T>(T);

impl<T: Serialize> Serialize for Body<T> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let mut body = serde_json::to_value(&self.0).map_err(S::Error::custom)?;
        if let Some(members) = body.as_object_mut() {
            members.retain(|name, _| !["listId", "boardId"].contains(&name.as_str()));
        }
        body.serialize(output)
    }
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_795_169_730_123).unwrap()
}

fn check_body<T: Serialize + PartialEq + Debug>(body: &[u8], parse: Parse<T>) {
    let Ok(json) = Json::parse(body) else { return };
    let value: Value = serde_json::from_slice(body).unwrap();
    match parse(json) {
        Ok(change) => {
            let written = serde_json::to_vec(&change).unwrap();
            assert_eq!(parse(Json::parse(&written).unwrap()), Ok(change), "{}", String::from_utf8_lossy(&written));
            assert!(value.is_object());
        }
        Err(faults) => check_faults(&value, &faults),
    }
    if let Some(members) = value.as_object().filter(|members| !members.contains_key("type")) {
        let separate: Vec<Faults> = members.iter().map(|(name, value)| faults_of(name, value, parse)).collect();
        let all = faults(&value, parse);
        let missing = count_missing(&all);
        assert_eq!(all.count() - missing, separate.iter().map(Faults::count).sum::<usize>(), "{value}");
        let listed: Vec<&FieldFault> = separate.iter().flat_map(Faults::listed).collect();
        assert!(all.listed().iter().all(|fault| fault.detail == "is required" || listed.contains(&fault)), "{value}");
    }
}

/// Checks that each listed error refers to a present member or to a missing required member, and that the list is not
/// too long.
fn check_faults(body: &Value, faults: &Faults) {
    assert!(!faults.listed().is_empty() && faults.listed().len() <= faults.count().min(Faults::MAX_LISTED), "{body}");
    for FieldFault { pointer, detail } in faults.listed() {
        let is_present = pointer.ends_with('…') || body.pointer(pointer).is_some();
        assert!(!detail.is_empty() && (detail == "is required") != is_present, "{pointer}: {detail}");
    }
}

/// Returns the errors of a body with only this member, without the errors of missing members.
fn faults_of<T>(name: &str, value: &Value, parse: Parse<T>) -> Faults {
    let only_member = Value::Object([(name.to_owned(), value.clone())].into_iter().collect());
    let faults = faults(&only_member, parse);
    let is_of_member = |fault: &&FieldFault| fault.detail != "is required";
    faults.listed().iter().filter(is_of_member).cloned().collect::<Vec<_>>().into()
}

/// Returns the number of missing members.
fn count_missing(faults: &Faults) -> usize {
    faults.listed().iter().filter(|fault| fault.detail == "is required").count()
}

fn faults<T>(body: &Value, parse: Parse<T>) -> Faults {
    parse(Json::parse(body.to_string().as_bytes()).unwrap()).err().unwrap_or_default()
}

/// Checks that JSON is accepted exactly if `serde_json` accepts it, except for too deep nesting and duplicate names.
fn check_json(body: &[u8]) {
    let reference = serde_json::from_slice::<Value>(body);
    match (Json::parse(body), reference) {
        (Ok(json), Ok(reference)) => {
            assert!(is_same(&json, &reference), "{reference}");
            assert_eq!(depth_and_members(body), (depth(&reference), count_members(&reference)), "{reference}");
            assert!(depth(&reference) <= 32, "{reference}");
        }
        (Ok(json), Err(error)) => panic!("accepted as {json:?}, but serde_json reports {error}"),
        (Err(error), Ok(reference)) => {
            let (depth, member_count) = depth_and_members(body);
            assert!(depth > 32 || member_count > count_members(&reference), "{error}: {reference}");
        }
        (Err(_), Err(_)) => {}
    }
}

fn is_same(json: &Json, reference: &Value) -> bool {
    match (json, reference) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(value), Value::Bool(reference)) => value == reference,
        (Json::Integer(0), Value::Number(reference)) => reference.as_f64() == Some(0.0),
        (Json::Integer(value), Value::Number(reference)) => reference.as_i64() == Some(*value),
        (Json::Number(_), Value::Number(reference)) => !reference.is_i64(),
        (Json::String(text), Value::String(reference)) => text == reference,
        (Json::Array(elements), Value::Array(reference)) => {
            elements.len() == reference.len()
                && elements.iter().zip(reference).all(|(element, reference)| is_same(element, reference))
        }
        (Json::Object(members), Value::Object(reference)) => {
            let is_in_reference =
                |(name, value): &(String, Json)| reference.get(name).is_some_and(|reference| is_same(value, reference));
            members.len() == reference.len() && members.iter().all(is_in_reference)
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

fn count_members(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(count_members).sum(),
        Value::Object(object) => object.len() + object.values().map(count_members).sum::<usize>(),
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

//! Strict parsing of the fields of a record. Errors never quote a value.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serializer};

use crate::calendar::ZoneName;
use crate::change::MAX_SEQUENCE;
use crate::key::KeyDigest;
use crate::occurrences::{InvalidOverrides, Override, Overrides, Recurrence, TaskRecurrence};
use crate::storage::LoadFault;
use crate::validation::MAX_STORED_ORDER;

/// The JSON fields of a line in the import format.
pub(super) type Fields = serde_json::Map<String, serde_json::Value>;

/// Parses a record. Unknown fields are faults, and so are missing fields that cannot be `null`.
pub(super) fn read<T: DeserializeOwned>(fields: Fields) -> Result<T, LoadFault> {
    serde_path_to_error::deserialize(serde_json::Value::Object(fields)).map_err(|error| load_fault(&error))
}

/// Converts an error of serde. The message names a missing or unknown field. For other errors, the path names it.
fn load_fault(error: &serde_path_to_error::Error<serde_json::Error>) -> LoadFault {
    let message = error.inner().to_string();
    let named = |start: &str, end: &str| message.strip_prefix(start).and_then(|rest| Some(rest.rsplit_once(end)?.0));
    if let Some(field) = named("missing field `", "`") {
        return LoadFault::new(field, "is required");
    }
    if let Some(field) = named("unknown field `", "`, expected ") {
        return LoadFault::new(field, "is not a field of this record");
    }
    LoadFault::new(&error.path().to_string(), expected(&message))
}

/// Returns what serde expected. Leaves out the value that it found, which can be a secret in the wrong field.
fn expected(message: &str) -> &str {
    match message.rfind("expected ").map_or("", |start| &message[start..]) {
        "" => "expected another value",
        "expected i64" => "expected an integer",
        "expected a sequence" => "expected an array",
        expected => expected,
    }
}

/// Reads a position: any integer that a JSON number holds exactly, from -(2^53 - 1) to 2^53 - 1.
pub(super) fn order<'de, D: Deserializer<'de>>(input: D) -> Result<i64, D::Error> {
    let order = i64::deserialize(input)?;
    if (-MAX_STORED_ORDER..=MAX_STORED_ORDER).contains(&order) {
        Ok(order)
    } else {
        Err(D::Error::custom("expected an integer of at most 53 bits"))
    }
}

/// Reads the number of changes of a record.
pub(super) fn sequence<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
    let sequence = u32::try_from(i64::deserialize(input)?).ok().filter(|sequence| *sequence <= MAX_SEQUENCE);
    sequence.ok_or_else(|| D::Error::custom("expected a whole number of at most 31 bits"))
}

/// Reads a field that can be `null`, but must not be absent: its absence would give more rights than a value.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(input)
}

/// Reads an ISO 4217 code. Checks only its shape: three capital letters.
pub(super) fn currency<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let code = String::deserialize(input)?;
    let has_shape = code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
    if has_shape { Ok(code) } else { Err(D::Error::custom("expected an ISO 4217 code")) }
}

/// Reads an e-mail address. Checks only its length: 64 characters before the `@` and 255 after it (RFC 3696, erratum
/// 1690).
pub(super) fn email<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    const MAX_LENGTH: usize = 320;
    let address = String::deserialize(input)?;
    let fits = address.chars().count() <= MAX_LENGTH;
    if fits { Ok(address) } else { Err(D::Error::custom("expected an e-mail address of at most 320 characters")) }
}

/// Reads a recurrence, unchanged.
pub(super) fn recurrence<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(input)?;
    let recurrence = text.as_deref().map(Recurrence::parse).transpose().map_err(D::Error::custom)?;
    recurrence.map_or(Ok(()), |recurrence| recurrence.check_satisfiable()).map_err(D::Error::custom)?;
    Ok(text)
}

/// Reads the name of a time zone that this program knows.
pub(super) fn time_zone<'de, D: Deserializer<'de>>(input: D) -> Result<Option<ZoneName>, D::Error> {
    let name = Option::<String>::deserialize(input)?;
    name.map(|name| name.parse()).transpose().map_err(D::Error::custom)
}

/// Reads changed occurrences. Unlike a client, refuses unknown fields.
pub(super) fn overrides<'de, D: Deserializer<'de>>(input: D) -> Result<Overrides, D::Error> {
    let overrides = Vec::<Fields>::deserialize(input)?;
    if overrides.iter().flat_map(Fields::keys).any(|name| !Override::FIELDS.contains(&name.as_str())) {
        return Err(D::Error::custom("expected only fields of changed occurrences"));
    }
    let overrides = overrides.into_iter().map(|fields| serde_json::from_value(fields.into()));
    let overrides = overrides.collect::<Result<_, _>>().map_err(|_| D::Error::custom(InvalidOverrides::Malformed))?;
    Overrides::new(overrides).map_err(D::Error::custom)
}

/// Reads the recurrence of a task, unchanged: a line DTSTART with a zone, and the lines of a recurrence.
pub(super) fn task_recurrence<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let Some(text) = Option::<String>::deserialize(input)? else { return Ok(None) };
    let recurrence = TaskRecurrence::parse(&text).map_err(D::Error::custom)?;
    recurrence.check_satisfiable().map_err(D::Error::custom)?;
    Ok(Some(text))
}

/// Reads the name of a calendar feed.
pub(super) fn feed_name<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let name = String::deserialize(input)?;
    let is_valid = (1..=100).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_valid { Ok(name) } else { Err(D::Error::custom("expected 1 to 100 characters without control characters")) }
}

/// Reads a list of at most `MAX` elements.
pub(super) fn bounded<'de, D: Deserializer<'de>, T: Deserialize<'de>, const MAX: usize>(
    input: D,
) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(input)?;
    if list.len() <= MAX { Ok(list) } else { Err(D::Error::custom(format!("expected at most {MAX} identifiers"))) }
}

/// Reads a SHA-256 digest in hexadecimal.
pub(super) fn digest<'de, D: Deserializer<'de>>(input: D) -> Result<KeyDigest, D::Error> {
    let text = String::deserialize(input)?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| D::Error::custom("expected a SHA-256 in hexadecimal"))?;
    Ok(KeyDigest::from_bytes(bytes))
}

/// Writes a SHA-256 digest in hexadecimal.
pub(super) fn serialize_digest<S: Serializer>(digest: &KeyDigest, output: S) -> Result<S::Ok, S::Error> {
    output.serialize_str(&hex::encode(digest.as_bytes()))
}

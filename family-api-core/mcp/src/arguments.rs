//! The declaration of a tool's arguments. The JSON schema and the checks follow from it.

use std::collections::{BTreeMap, BTreeSet};

use family_api_core::calendar::parse_date;
use family_api_core::jiff::civil::Date;
use family_api_core::validation::Json;
use serde_json::{Map, Value, json};

use crate::error::ToolError;

/// Maximum length of the argument `idempotencyKey`, in characters.
const MAX_KEY: usize = 200;

/// Maximum length of an unknown name in a message, in characters.
const MAX_NAME: usize = 60;

/// One argument of a tool.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) accepts: ArgumentType,
    pub(crate) required: bool,
    pub(crate) description: &'static str,
}

/// The values that an argument accepts.
pub(crate) enum ArgumentType {
    /// The id of a record.
    Id,
    /// The entity tag of a record.
    Tag,
    /// A list of ids, from one to this number.
    Ids(usize),
    /// A list of names or ids, from one to this number.
    Names(usize),
    /// A list of objects, from one to this number, each with the JSON schema that the function returns. The members are
    /// checked by the tool.
    Records(usize, fn() -> Value),
    /// A text that makes a call safe to repeat. Space remains for a suffix for each record.
    IdempotencyKey,
    /// A text with at most this number of characters.
    Text(usize),
    /// A date.
    Date,
    /// A time of day, or the end of the day.
    Time,
    /// `true` or `false`.
    Boolean,
    /// An integer in a range.
    Integer(i64, i64),
    /// One of these names.
    Choice(&'static [&'static str]),
}

/// The id of the record that a tool reads.
pub(crate) const ID: Argument = Argument::required("id", ArgumentType::Id, "");

/// The ids of the records that a tool writes.
pub(crate) const IDS: Argument = Argument::required("ids", ArgumentType::Ids(50), "");

/// The entity tag that the only record of a call must have.
pub(crate) const IF_MATCH: Argument =
    Argument::optional("ifMatch", ArgumentType::Tag, "With one id: only this version.");

impl Argument {
    pub(crate) const fn optional(name: &'static str, accepts: ArgumentType, description: &'static str) -> Self {
        Self { name, accepts, required: false, description }
    }

    pub(crate) const fn required(name: &'static str, accepts: ArgumentType, description: &'static str) -> Self {
        Self { name, accepts, required: true, description }
    }
}

impl ArgumentType {
    fn schema(&self) -> Value {
        match self {
            Self::Id | Self::Tag | Self::Text(_) | Self::IdempotencyKey | Self::Time => json!({ "type": "string" }),
            // Without limits, as the fields: the description of the tool or the message of a fault names them.
            Self::Ids(_) | Self::Names(_) => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Records(_, schema) => json!({ "type": "array", "items": schema() }),
            Self::Date => json!({ "type": "string", "format": "date" }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Integer(..) => json!({ "type": "integer" }),
            Self::Choice(names) => json!({ "type": "string", "enum": names }),
        }
    }

    /// Returns what was expected if the value is not accepted.
    fn fault(&self, value: &Json) -> Option<String> {
        let is_valid = match (self, value) {
            (Self::Id | Self::Tag, Json::String(_)) | (Self::Boolean, Json::Bool(_)) => true,
            (Self::Ids(max) | Self::Names(max), Json::Array(ids)) => {
                (1..=*max).contains(&ids.len()) && ids.iter().all(|id| id.as_str().is_some())
            }
            (Self::Records(max, _), Json::Array(records)) => {
                (1..=*max).contains(&records.len()) && records.iter().all(|record| matches!(record, Json::Object(_)))
            }
            (Self::IdempotencyKey, Json::String(key)) => {
                (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
            }
            (Self::Text(max), Json::String(text)) => text.chars().count() <= *max,
            (Self::Date, Json::String(text)) => parse_date(text).is_some(),
            (Self::Time, Json::String(text)) => parse_time(text).is_some(),
            (Self::Integer(min, max), Json::Integer(value)) => (min..=max).contains(&value),
            (Self::Choice(names), Json::String(name)) => names.contains(&name.as_str()),
            _ => false,
        };
        (!is_valid).then(|| self.expected())
    }

    fn expected(&self) -> String {
        match self {
            Self::Id => "expected the id of a record, a string".to_owned(),
            Self::Tag => "expected the etag that a tool returned for the record, a string".to_owned(),
            Self::Ids(max) => format!("expected a list of 1 to {max} ids"),
            Self::Names(max) => format!("expected a list of 1 to {max} names or ids"),
            Self::Records(max, _) => format!("expected a list of 1 to {max} objects"),
            Self::IdempotencyKey => format!("expected 1 to {MAX_KEY} ASCII characters without spaces"),
            Self::Text(max) => format!("expected a text of at most {max} characters"),
            Self::Date => {
                "expected a date such as 2026-11-24 (YYYY-MM-DD; get_overview returns today's date)".to_owned()
            }
            Self::Time => "expected a time such as 08:00, at most 24:00".to_owned(),
            Self::Boolean => "expected true or false, without quotes".to_owned(),
            Self::Integer(min, max) => format!("expected an integer from {min} to {max}, without quotes"),
            Self::Choice(names) => format!("expected one of {}", names.join(", ")),
        }
    }
}

/// Returns the properties and the names of the required properties of the input schema.
pub(crate) fn properties(declared: &[Argument]) -> (Map<String, Value>, Vec<Value>) {
    let property = |argument: &Argument| {
        let mut schema = argument.accepts.schema();
        if !argument.description.is_empty() {
            schema["description"] = argument.description.into();
        }
        (argument.name.to_owned(), schema)
    };
    let required = declared.iter().filter(|argument| argument.required).map(|argument| argument.name.into()).collect();
    (declared.iter().map(property).collect(), required)
}

/// Returns how many records a call lists for a tool with these arguments. A list with a fault has none.
pub(crate) fn listed_records(declared: &[Argument], given: &Json) -> u32 {
    let Json::Object(members) = given else { return 0 };
    let of_argument = |argument: &Argument| {
        let (_, value) = members.iter().find(|(name, _)| name == argument.name)?;
        let Json::Array(elements) = value else { return None };
        let listed = match argument.accepts {
            ArgumentType::Ids(_) => elements.iter().filter_map(Json::as_str).collect::<BTreeSet<_>>().len(),
            ArgumentType::Names(_) | ArgumentType::Records(..) => elements.len(),
            _ => return None,
        };
        argument.accepts.fault(value).is_none().then_some(listed)
    };
    u32::try_from(declared.iter().filter_map(of_argument).sum::<usize>()).unwrap_or(u32::MAX)
}

/// The members of an object, in the order of the input.
pub(crate) type Members = Vec<(String, Json)>;

/// The checked arguments of a call. An argument with the value `null` counts as absent.
#[derive(Debug)]
pub(crate) struct Arguments(BTreeMap<String, Json>);

impl Arguments {
    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with all faults.
    pub(crate) fn read(declared: &[Argument], given: Json) -> Result<Self, ToolError> {
        let (arguments, rest) = Self::read_some(declared, given)?;
        if rest.is_empty() {
            return Ok(arguments);
        }
        let names: Vec<&str> = declared.iter().map(|argument| argument.name).collect();
        let hint = if names.is_empty() {
            "This tool has no arguments.".to_owned()
        } else {
            format!("The arguments of this tool are: {}.", names.join(", "))
        };
        let unknown = rest.iter().map(|(name, _)| format!("{} is not an argument", shortened(name)));
        Err(ToolError::of_arguments(unknown, rest.len(), &hint))
    }

    /// Checks the declared arguments and returns the others unchecked.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with the faults of the declared arguments.
    pub(crate) fn read_some(declared: &[Argument], given: Json) -> Result<(Self, Members), ToolError> {
        let members = match with_integers(given) {
            Json::Object(members) => members,
            _ => Vec::new(),
        };
        let is_declared = |name: &str| declared.iter().any(|argument| argument.name == name);
        let (own, rest): (Vec<_>, Vec<_>) = members.into_iter().partition(|(name, _)| is_declared(name));
        let own: BTreeMap<String, Json> = own.into_iter().filter(|(_, value)| *value != Json::Null).collect();
        let fault = |argument: &Argument| match own.get(argument.name) {
            None => argument.required.then(|| format!("{} is required", argument.name)),
            Some(value) => argument.accepts.fault(value).map(|fault| format!("{}: {fault}", argument.name)),
        };
        let faults: Vec<String> = declared.iter().filter_map(fault).collect();
        if faults.is_empty() {
            return Ok((Self(own), rest));
        }
        let count = faults.len();
        Err(ToolError::of_arguments(faults.into_iter(), count, ""))
    }

    /// Returns an argument.
    pub(crate) fn value(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }

    /// Returns an argument that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Json::as_str)
    }

    pub(crate) fn date(&self, name: &str) -> Option<Date> {
        self.text(name).and_then(parse_date)
    }

    /// Returns a time of day in minutes.
    pub(crate) fn time(&self, name: &str) -> Option<u16> {
        self.text(name).and_then(parse_time)
    }

    pub(crate) fn boolean(&self, name: &str) -> Option<bool> {
        match self.0.get(name) {
            Some(Json::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        match self.0.get(name) {
            Some(Json::Integer(value)) => Some(*value),
            _ => None,
        }
    }

    /// Removes the argument that is a list of objects, and returns the members of each object.
    pub(crate) fn take_records(&mut self, name: &str) -> Vec<Members> {
        let Some(Json::Array(records)) = self.0.remove(name) else {
            return Vec::new();
        };
        let members = |record| match record {
            Json::Object(members) => Some(members),
            _ => None,
        };
        records.into_iter().filter_map(members).collect()
    }

    /// Returns an argument that is a list of strings.
    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let texts = match self.0.get(name) {
            Some(Json::Array(texts)) => texts.as_slice(),
            _ => &[],
        };
        texts.iter().filter_map(Json::as_str)
    }

    /// Returns the argument [`IDS`], each id once.
    pub(crate) fn ids(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        self.texts(IDS.name).filter(|id| seen.insert(*id)).collect()
    }

    /// Returns the precondition of the argument [`IF_MATCH`].
    ///
    /// # Errors
    /// [`ToolError::Correctable`] if it is given and the call has not one id.
    pub(crate) fn if_match(&self) -> Result<Option<&str>, ToolError> {
        let tag = self.text(IF_MATCH.name);
        if tag.is_some() && self.ids().len() != 1 {
            let fault = "ifMatch: is the etag of one record, so give one id".to_owned();
            return Err(ToolError::of_arguments(std::iter::once(fault), 1, ""));
        }
        Ok(tag)
    }
}

/// Parses a time of day from `00:00` to `24:00`. Returns minutes.
fn parse_time(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let number = |part: &str| {
        let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u16>().ok()).flatten()
    };
    let (hour, minute) = (number(hour)?, number(minute)?);
    Some(hour * 60 + minute).filter(|minutes| minute < 60 && *minutes <= 24 * 60)
}

/// Converts each number whose fraction is zero to an integer, such as `20.0`: in JSON Schema, it is one.
fn with_integers(value: Json) -> Json {
    match value {
        Json::Number(Some(integer)) => Json::Integer(integer),
        Json::Array(elements) => Json::Array(elements.into_iter().map(with_integers).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, with_integers(value))).collect())
        }
        other => other,
    }
}

/// Returns an unknown name for a message: quoted, and truncated if it is long.
pub(crate) fn shortened(name: &str) -> String {
    let short: String = name.chars().take(MAX_NAME).collect();
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_hours_and_minutes() {
        assert_eq!(["08:05", "00:00", "24:00"].map(parse_time), [Some(485), Some(0), Some(1_440)]);
        for bad in ["", "8:00", "08:00:00", "08.00", "24:01", "25:00", "08:60", "+8:00", "08:-1", "é:00", "0800"] {
            assert_eq!(parse_time(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_without_a_fraction_are_integers() {
        let read = |text: &str| with_integers(Json::parse(text.as_bytes()).unwrap());
        assert_eq!(read(r#"[20.0,{"a":2e1},20,true]"#), read(r#"[20,{"a":20},20,true]"#));
        assert_eq!(read("[20.5,1e300]"), Json::Array(vec![Json::Number(None), Json::Number(None)]));
    }
}

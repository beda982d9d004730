//! The declaration of a tool's arguments. The JSON schema and the checks follow from it.

use std::collections::BTreeMap;

use family_api_core::calendar::parse_date;
use family_api_core::jiff::civil::Date;
use family_api_core::validation::Json;
use serde_json::{Map, Value, json};

use crate::mcp::error::ToolError;

/// Maximum length of the argument `idempotency_key`, in characters.
const MAX_KEY: usize = 200;

/// Maximum length of an unknown name in a message, in characters.
const MAX_NAME: usize = 60;

/// One argument of a tool.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) required: bool,
    pub(super) description: &'static str,
}

/// The values that an argument accepts.
pub(super) enum Kind {
    /// The id of a record.
    Id,
    /// The entity tag of a record.
    Tag,
    /// A list of ids, from one to this number.
    Ids(usize),
    /// A list of objects, from one to this number, each with the JSON schema that the function returns. The members are
    /// checked by the tool.
    Records(usize, fn() -> Value),
    /// A text that makes a call safe to repeat. Space remains for a suffix for each record.
    IdempotencyKey,
    /// A text with at most this number of characters.
    Text(usize),
    /// A date.
    Date,
    /// `true` or `false`.
    Boolean,
    /// An integer in a range.
    Integer(i64, i64),
    /// One of these names.
    Choice(&'static [&'static str]),
}

/// The id of the record that a tool reads or writes.
pub(super) const ID: Argument = Argument::required("id", Kind::Id, "");

impl Argument {
    pub(super) const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, kind, required: false, description }
    }

    pub(super) const fn required(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, kind, required: true, description }
    }
}

impl Kind {
    fn schema(&self) -> Value {
        match self {
            Self::Id | Self::Tag | Self::Text(_) => json!({ "type": "string" }),
            Self::Ids(max) => {
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": max })
            }
            Self::Records(max, schema) => {
                json!({ "type": "array", "items": schema(), "minItems": 1, "maxItems": max })
            }
            Self::IdempotencyKey => json!({ "type": "string", "pattern": format!("^[!-~]{{1,{MAX_KEY}}}$") }),
            Self::Date => json!({ "type": "string", "format": "date" }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Integer(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Self::Choice(names) => json!({ "type": "string", "enum": names }),
        }
    }

    /// Returns what was expected if the value is not accepted.
    fn fault(&self, value: &Json) -> Option<String> {
        let is_valid = match (self, value) {
            (Self::Id | Self::Tag, Json::String(_)) | (Self::Boolean, Json::Bool(_)) => true,
            (Self::Ids(max), Json::Array(ids)) => {
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
            Self::Records(max, _) => format!("expected a list of 1 to {max} objects"),
            Self::IdempotencyKey => format!("expected 1 to {MAX_KEY} ASCII characters without spaces"),
            Self::Text(max) => format!("expected a text of at most {max} characters"),
            Self::Date => {
                "expected a date such as 2026-11-24 (YYYY-MM-DD; get_overview returns today's date)".to_owned()
            }
            Self::Boolean => "expected true or false, without quotes".to_owned(),
            Self::Integer(min, max) => format!("expected an integer from {min} to {max}, without quotes"),
            Self::Choice(names) => format!("expected one of {}", names.join(", ")),
        }
    }
}

/// Returns the properties and the names of the required properties of the input schema.
pub(super) fn properties(declared: &[Argument]) -> (Map<String, Value>, Vec<Value>) {
    let property = |argument: &Argument| {
        let mut schema = argument.kind.schema();
        if !argument.description.is_empty() {
            schema["description"] = argument.description.into();
        }
        (argument.name.to_owned(), schema)
    };
    let required = declared.iter().filter(|argument| argument.required).map(|argument| argument.name.into()).collect();
    (declared.iter().map(property).collect(), required)
}

/// The checked arguments of a call. An argument with the value `null` counts as absent.
#[derive(Debug)]
pub(super) struct Arguments(BTreeMap<String, Json>);

impl Arguments {
    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with all faults.
    pub(super) fn read(declared: &[Argument], given: Json) -> Result<Self, ToolError> {
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
    pub(super) fn read_some(declared: &[Argument], given: Json) -> Result<(Self, Vec<(String, Json)>), ToolError> {
        let members = match given {
            Json::Object(members) => members,
            _ => Vec::new(),
        };
        let is_declared = |name: &str| declared.iter().any(|argument| argument.name == name);
        let (own, rest): (Vec<_>, Vec<_>) = members.into_iter().partition(|(name, _)| is_declared(name));
        let own: BTreeMap<String, Json> = own.into_iter().filter(|(_, value)| *value != Json::Null).collect();
        let fault = |argument: &Argument| match own.get(argument.name) {
            None => argument.required.then(|| format!("{} is required", argument.name)),
            Some(value) => argument.kind.fault(value).map(|fault| format!("{}: {fault}", argument.name)),
        };
        let faults: Vec<String> = declared.iter().filter_map(fault).collect();
        if faults.is_empty() {
            return Ok((Self(own), rest));
        }
        let count = faults.len();
        Err(ToolError::of_arguments(faults.into_iter(), count, ""))
    }

    /// Returns a text, an id or the name of a choice.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Json::as_str)
    }

    pub(super) fn date(&self, name: &str) -> Option<Date> {
        self.text(name).and_then(parse_date)
    }

    pub(super) fn boolean(&self, name: &str) -> Option<bool> {
        match self.0.get(name) {
            Some(Json::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        match self.0.get(name) {
            Some(Json::Integer(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the members of each object of a list.
    pub(super) fn records(&self, name: &str) -> impl Iterator<Item = &[(String, Json)]> {
        let records = match self.0.get(name) {
            Some(Json::Array(records)) => records.as_slice(),
            _ => &[],
        };
        records.iter().filter_map(|record| match record {
            Json::Object(members) => Some(members.as_slice()),
            _ => None,
        })
    }

    pub(super) fn ids(&self, name: &str) -> impl Iterator<Item = &str> {
        let ids = match self.0.get(name) {
            Some(Json::Array(ids)) => ids.as_slice(),
            _ => &[],
        };
        ids.iter().filter_map(Json::as_str)
    }
}

/// Returns an unknown name for a message: quoted, and truncated if it is long.
pub(super) fn shortened(name: &str) -> String {
    let short: String = name.chars().take(MAX_NAME).collect();
    format!("{short:?}")
}

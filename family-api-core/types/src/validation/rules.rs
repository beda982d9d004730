//! The rules for values that several bodies share.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde_json::{Value, json};

use crate::validation::body_fields::Rule;
use crate::validation::{FieldErrors, Json, Reference};

/// A rule without parameters.
pub(crate) struct ValueRule<T> {
    pub(crate) read: fn(&Json) -> Result<T, FieldErrors>,
    pub(crate) schema: fn() -> Value,
}

impl<T> Rule for ValueRule<T> {
    type Value = T;

    fn read(&self, value: &Json) -> Result<T, FieldErrors> {
        (self.read)(value)
    }

    fn schema(&self) -> Value {
        (self.schema)()
    }
}

/// The rule for a text. No text may contain U+0000.
pub(crate) struct TextRule {
    /// Allowed length, in characters.
    pub(crate) length: RangeInclusive<usize>,
    /// The message if the value has another length or is not a string.
    pub(crate) expected: &'static str,
}

impl TextRule {
    pub(crate) fn check(&self, text: &str) -> Result<(), &'static str> {
        if !self.length.contains(&text.chars().count()) {
            return Err(self.expected);
        }
        if text.contains('\0') { Err("must not contain U+0000") } else { Ok(()) }
    }
}

impl Rule for TextRule {
    type Value = String;

    fn read(&self, value: &Json) -> Result<String, FieldErrors> {
        let text = value.as_str().ok_or(self.expected)?;
        self.check(text)?;
        Ok(text.to_owned())
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "string", "maxLength": self.length.end() });
        if *self.length.start() > 0 {
            schema["minLength"] = json!(self.length.start());
        }
        schema
    }
}

/// The rule for a text that is stored trimmed. The trimmed text is checked.
pub(crate) struct TrimmedTextRule(TextRule);

impl Rule for TrimmedTextRule {
    type Value = String;

    fn read(&self, value: &Json) -> Result<String, FieldErrors> {
        let text = value.as_str().ok_or(self.0.expected)?.trim();
        self.0.check(text)?;
        Ok(text.to_owned())
    }

    /// Has no maximum length, because the text before trimming can be longer.
    fn schema(&self) -> Value {
        json!({ "type": "string", "pattern": "\\S" })
    }
}

/// The rule for the title of a task or event, and for the name of a shopping item.
pub(crate) const TITLE: TrimmedTextRule =
    TrimmedTextRule(TextRule { length: 1..=500, expected: "expected a string of 1 to 500 characters after trimming" });

/// The rule for the name of a record that contains others.
pub(crate) const NAME: TrimmedTextRule =
    TrimmedTextRule(TextRule { length: 1..=200, expected: "expected a string of 1 to 200 characters after trimming" });

/// The rule for a description that can be `null`.
pub(crate) const DESCRIPTION: TextRule =
    TextRule { length: 0..=20_000, expected: "expected a string of at most 20,000 characters or null" };

/// The rule for an emoji. It may consist of several characters.
pub(crate) const EMOJI: TextRule = TextRule { length: 1..=32, expected: "expected a string of 1 to 32 characters" };

/// The rule for a colour, `#rrggbb`.
pub(crate) const COLOR: ValueRule<String> =
    ValueRule { read: read_color, schema: || json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" }) };

fn read_color(value: &Json) -> Result<String, FieldErrors> {
    let color = value.as_str().unwrap_or_default();
    match color.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(color.to_owned()),
        _ => Err("expected a color, #rrggbb".into()),
    }
}

/// The highest position of a record, which a JSON number holds exactly. An import can set it.
pub const MAX_STORED_ORDER: i64 = (1 << 53) - 1;

/// The highest position that a request can set.
pub(crate) const MAX_ORDER: i64 = 1_000_000;

const ORDERS: RangeInclusive<i64> = 0..=MAX_ORDER;

/// The rule for a position.
pub(crate) const ORDER: ValueRule<i64> = ValueRule {
    read: |value| match value {
        Json::Integer(order) if ORDERS.contains(order) => Ok(*order),
        _ => Err("expected an integer from 0 to 1,000,000".into()),
    },
    schema: || json!({ "type": "integer", "minimum": ORDERS.start(), "maximum": ORDERS.end() }),
};

/// The rule for `true` or `false`.
pub(crate) const BOOLEAN: ValueRule<bool> = ValueRule {
    read: |value| match value {
        Json::Bool(value) => Ok(*value),
        _ => Err("expected true or false".into()),
    },
    schema: || json!({ "type": "boolean" }),
};

/// Returns the rule for an IANA time zone.
pub(crate) fn time_zone<T: FromStr>() -> ValueRule<T> {
    ValueRule {
        read: |value| {
            let zone = value.as_str().and_then(|name| name.parse().ok());
            zone.ok_or_else(|| "expected an IANA time zone, such as Europe/Kyiv".into())
        },
        schema: || json!({ "type": "string" }),
    }
}

const LABEL_OR_TAG: TextRule = TextRule { length: 1..=50, expected: "expected a string of 1 to 50 characters" };

const MAX_LABELS_OR_TAGS: usize = 50;

/// The rule for labels or tags: at most 50 strings of 1–50 characters.
pub(crate) const LABELS_OR_TAGS: ValueRule<Vec<String>> = ValueRule {
    read: read_labels_or_tags,
    schema: || json!({ "type": "array", "maxItems": MAX_LABELS_OR_TAGS, "items": LABEL_OR_TAG.schema() }),
};

/// Checks the number of elements first. If there are too many, it does not check any element.
fn read_labels_or_tags(value: &Json) -> Result<Vec<String>, FieldErrors> {
    let Json::Array(elements) = value else {
        return Err("expected an array of strings".into());
    };
    if elements.len() > MAX_LABELS_OR_TAGS {
        return Err("must have at most 50 elements".into());
    }
    let check = |element: &Json| match element.as_str() {
        Some(text) => LABEL_OR_TAG.check(text),
        None => Err(LABEL_OR_TAG.expected),
    };
    let faults = elements.iter().enumerate().filter_map(|(index, element)| Some((index, check(element).err()?)));
    let strings = elements.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    FieldErrors::of_elements(faults).into_result(strings)
}

/// Returns the rule for a reference to a record. The schema allows any string, because an invalid id gets 404 and
/// not 422.
pub(crate) const fn reference<I: FromStr>() -> ValueRule<Reference<I>> {
    ValueRule { read: |value| Ok(value.as_str().ok_or("expected an identifier")?.into()), schema: any_id }
}

/// Returns the rule for a reference to a record, or `""`, which becomes `None`.
pub(crate) const fn reference_or_empty<I: FromStr>() -> ValueRule<Option<Reference<I>>> {
    ValueRule {
        read: |value| {
            let id = value.as_str().ok_or("expected an identifier or null")?;
            Ok((!id.is_empty()).then(|| id.into()))
        },
        schema: any_id,
    }
}

fn any_id() -> Value {
    json!({ "type": "string", "examples": ["01939c5e-7a3b-7c41-9f2d-3e8b5a60c7d1"] })
}

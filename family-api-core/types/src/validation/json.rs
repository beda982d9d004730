//! A strict JSON parser, which rejects some input that serde accepts (HTTP reference, "JSON").

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize};

/// Maximum nesting depth. The outermost value has depth 1.
const MAX_DEPTH: usize = 32;

/// Maximum number of members with which the name of the next one is compared. A larger object has a set of its names.
const MAX_COMPARED: usize = 16;

/// The body is not a single JSON value of the accepted form. Contains the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidJson(String);

/// A JSON value. No object has the same member twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without fraction or exponent that fits into an `i64`.
    Integer(i64),
    /// Any other number. Contains the integer with the same value, such as 20 for `20.0`, if there is one.
    Number(Option<i64>),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object, with the members in the order of the input.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses a complete body.
    ///
    /// # Errors
    /// [`InvalidJson`] if the body is empty, not JSON, not UTF-8 or nested deeper than 32, or if it contains an
    /// object with the same member twice, a lone surrogate, or a number outside the range of a double.
    pub fn parse(body: &[u8]) -> Result<Self, InvalidJson> {
        if body.trim_ascii().is_empty() {
            return Err(InvalidJson("it is empty".to_owned()));
        }
        let body = remove_signs_of_zeros(body);
        let mut input = serde_json::Deserializer::from_slice(&body);
        let value = JsonSeed { depth: 1 }.deserialize(&mut input).map_err(invalid_json)?;
        input.end().map_err(invalid_json)?;
        Ok(value)
    }

    /// Converts a value that serializes to a body. Returns `null`, which is no body, if it does not serialize.
    pub fn of(value: &impl Serialize) -> Self {
        let body = serde_json::to_vec(value).ok();
        body.and_then(|body| Self::parse(&body).ok()).unwrap_or(Self::Null)
    }

    /// Returns the number of values, with this one and those in it.
    pub(crate) fn count_values(&self) -> usize {
        match self {
            Self::Array(elements) => 1 + elements.iter().map(Self::count_values).sum::<usize>(),
            Self::Object(members) => 1 + members.iter().map(|(_, value)| value.count_values()).sum::<usize>(),
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Number(_) | Self::String(_) => 1,
        }
    }

    /// Returns the text of a string, or `None` for another value.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "map_err passes the error by value")]
fn invalid_json(error: serde_json::Error) -> InvalidJson {
    InvalidJson(match error.classify() {
        // The message may quote a name in the body, which the caller already knows. For syntax errors the position is
        // more helpful than the message.
        serde_json::error::Category::Data => error.to_string(),
        _ if error.line() == 1 => format!("syntax error at column {}", error.column()),
        _ => format!("syntax error at line {} column {}", error.line(), error.column()),
    })
}

/// Replaces the sign of each integer `-0` by a blank, because `serde_json` parses `-0` as the float `-0.0`.
fn remove_signs_of_zeros(body: &[u8]) -> Cow<'_, [u8]> {
    let mut body = Cow::Borrowed(body);
    if !body.windows(2).any(|pair| pair == b"-0") {
        return body;
    }
    let mut in_string = false;
    let mut is_escaped = false;
    for index in 0..body.len() {
        match body[index] {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b'-' if !in_string && is_sign_of_zero(&body[..index], &body[index + 1..]) => body.to_mut()[index] = b' ',
            _ => {}
        }
    }
    body
}

/// Returns whether a minus sign between these bytes is the sign of an integer `-0`, and not of an exponent or another
/// number.
fn is_sign_of_zero(before: &[u8], after: &[u8]) -> bool {
    let is_exponent = matches!(before.last(), Some(b'e' | b'E'));
    let has_more_digits = matches!(after.get(1), Some(b'0'..=b'9' | b'.' | b'e' | b'E'));
    !is_exponent && after.first() == Some(&b'0') && !has_more_digits
}

struct JsonSeed {
    depth: usize,
}

impl JsonSeed {
    fn nested(&self) -> Self {
        Self { depth: self.depth + 1 }
    }
}

impl<'de> DeserializeSeed<'de> for JsonSeed {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Json, D::Error> {
        if self.depth > MAX_DEPTH {
            return Err(D::Error::custom("nested deeper than 32"));
        }
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonSeed {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(i64::try_from(value).map_or(Json::Number(None), Json::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        // The text of a float whose fraction is zero has no fraction.
        Ok(Json::Number(value.to_string().parse().ok()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Json, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = input.next_element_seed(self.nested())? {
            elements.push(element);
        }
        Ok(Json::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<Json, A::Error> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names = HashSet::new();
        while let Some(name) = input.next_key::<String>()? {
            let is_new = if members.len() < MAX_COMPARED {
                members.iter().all(|(other, _)| *other != name)
            } else {
                if names.is_empty() {
                    names.extend(members.iter().map(|(name, _)| name.clone()));
                }
                names.insert(name.clone())
            };
            if !is_new {
                return Err(A::Error::custom("an object has the same member twice"));
            }
            members.push((name, input.next_value_seed(self.nested())?));
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_not_one_json_value_is_rejected() {
        let deep = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(Json::parse(&deep(32)).is_ok());
        assert!(Json::parse(&deep(33)).is_err());
        assert!(Json::parse(&deep(100_000)).is_err());
        let bad: [&[u8]; 14] = [
            b"",
            b" ",
            b"{",
            b"{} x",
            b"{'a':1}",
            b"[1,]",
            b"NaN",
            b"{\"a\":1,\"a\":1}",
            b"{\"a\":1,\"\\u0061\":1}",
            b"\"\xff\"",
            b"\"\\ud800\"",
            b"\"\\udc00\\ud800\"",
            b"1e999",
            b"\xef\xbb\xbf{}",
        ];
        for body in bad {
            assert!(matches!(Json::parse(body), Err(InvalidJson(_))), "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn an_empty_body_is_called_empty() {
        for empty in ["", " \n"] {
            assert_eq!(Json::parse(empty.as_bytes()).unwrap_err().to_string(), "it is empty");
        }
        assert_eq!(Json::parse(b"{").unwrap_err().to_string(), "syntax error at column 1");
    }

    #[test]
    fn an_integer_is_a_number_without_fraction_or_exponent() {
        assert_eq!(Json::parse(b"-7").unwrap(), Json::Integer(-7));
        for (other, integer) in [
            ("20.0", Some(20)),
            ("2e1", Some(20)),
            ("-7.000", Some(-7)),
            ("20.5", None),
            ("0.1", None),
            ("1e300", None),
            ("9223372036854775808", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(Json::parse(other.as_bytes()).unwrap(), Json::Number(integer), "{other}");
        }
        assert_eq!(Json::parse("\"\\ud83d\\ude00\"".as_bytes()).unwrap(), Json::String("😀".to_owned()));
    }

    #[test]
    fn minus_zero_parses_as_the_integer_zero() {
        for zero in ["-0", " -0\n"] {
            assert_eq!(Json::parse(zero.as_bytes()).unwrap(), Json::Integer(0), "{zero}");
        }
        for (other, integer) in [("-0.0", 0), ("-0e0", 0), ("-0E1", 0), ("1e-0", 1)] {
            assert_eq!(Json::parse(other.as_bytes()).unwrap(), Json::Number(Some(integer)), "{other}");
        }
        for bad in ["-00", "--0", "1-0", "-", "- 0", "[-0-0]", "[0-0]", "-0x"] {
            assert!(Json::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        let texts = Json::parse(br#"{"-0":["-0","\"-0","\\",-0,-01e0]}"#);
        assert!(texts.is_err(), "a leading zero");
        let texts = Json::parse(br#"{"-0":["-0","\"-0","\\",-0,-1]}"#).unwrap();
        let text = |text: &str| Json::String(text.to_owned());
        let elements = vec![text("-0"), text("\"-0"), text("\\"), Json::Integer(0), Json::Integer(-1)];
        assert_eq!(texts, Json::Object(vec![("-0".to_owned(), Json::Array(elements))]));
    }
}

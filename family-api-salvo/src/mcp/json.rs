//! Converts the JSON of `rmcp`.

use family_api_core::validation::Json;
use serde_json::{Number, Value};

/// Converts a value. The whole message has passed the strict parser, so the value has no faults that only text can have.
pub(super) fn from_value(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(value),
        Value::Number(number) => integer(&number).map_or(Json::Number, Json::Integer),
        Value::String(text) => Json::String(text),
        Value::Array(elements) => Json::Array(elements.into_iter().map(from_value).collect()),
        Value::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, from_value(value))).collect())
        }
    }
}

/// Returns an integer. In JSON Schema, a number whose fraction is zero is an integer, such as `20.0`.
fn integer(number: &Number) -> Option<i64> {
    // The text of such a float has no fraction.
    number.as_i64().or_else(|| number.as_f64()?.to_string().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_a_fraction_are_integers() {
        for (number, integer) in [
            ("20", Some(20)),
            ("20.0", Some(20)),
            ("2e1", Some(20)),
            ("-0", Some(0)),
            ("-7.000", Some(-7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("20.5", None),
            ("0.1", None),
            ("1e300", None),
            ("9223372036854775808", None),
        ] {
            let expected = integer.map_or(Json::Number, Json::Integer);
            assert_eq!(from_value(serde_json::from_str(number).unwrap()), expected, "{number}");
        }
    }

    #[test]
    fn other_values_are_the_same() {
        let text = r#"{"a":[null,true,"x",{"b":1}]}"#;
        assert_eq!(from_value(serde_json::from_str(text).unwrap()), Json::parse(text.as_bytes()).unwrap());
    }
}

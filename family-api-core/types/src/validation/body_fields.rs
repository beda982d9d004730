//! The declaration of the fields of a body. The parser and the JSON schema of the body follow from it.

use serde_json::{Map, Value, json};

use crate::validation::{Field, FieldErrors, Json};

/// A visitor of the fields of a body. A body declares each field once, with its name, its rule and its description:
/// [`BodyReader`](crate::validation::BodyReader) then parses the fields, and [`BodySchema`] describes them.
pub(crate) trait BodyFields {
    /// Visits a field that must be present.
    fn required<R: Rule>(&mut self, name: &'static str, rule: R, description: &'static str) -> Option<R::Value>;

    /// Visits a field that may be absent.
    fn optional<R: Rule>(&mut self, name: &'static str, rule: R, description: &'static str) -> Option<R::Value>;

    /// Visits a field that may be absent or `null`.
    fn nullable<R: Rule>(&mut self, name: &'static str, rule: R, description: &'static str) -> Field<R::Value>;
}

/// A rule for the values of a field.
pub(crate) trait Rule {
    type Value;

    /// Parses a value.
    ///
    /// # Errors
    /// The faults of the value.
    fn read(&self, value: &Json) -> Result<Self::Value, FieldErrors>;

    /// Returns the JSON schema of the values that [`read`](Self::read) accepts.
    fn schema(&self) -> Value;
}

/// Collects the JSON schemas of the fields of a body.
#[derive(Default)]
pub(crate) struct BodySchema {
    /// Examples of fields, by name.
    examples: Value,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl BodySchema {
    /// Returns the JSON schema of a body with the fields that `declare` lists. The object `examples` has an example of
    /// each field that can be sent to any server. The fields of these examples are the example of the body. If
    /// `examples` is null, the body has no example.
    pub(crate) fn of<T>(description: &str, examples: Value, declare: impl FnOnce(&mut Self) -> T) -> Value {
        let mut fields = Self { examples, ..Self::default() };
        declare(&mut fields);
        let mut schema = json!({
            "type": "object",
            "description": description,
            "properties": fields.properties,
            "required": fields.required,
            "additionalProperties": false,
        });
        if let Value::Object(mut example) = fields.examples {
            example.retain(|name, _| fields.properties.contains_key(name));
            schema["example"] = example.into();
        }
        schema
    }

    /// Adds a field. Examples of its rule take precedence.
    fn add(&mut self, name: &'static str, description: &'static str, mut schema: Value) {
        schema["description"] = description.into();
        if let (None, Some(example)) = (schema.get("examples"), self.examples.get(name)) {
            schema["examples"] = json!([example]);
        }
        self.properties.insert(name.to_owned(), schema);
    }
}

impl BodyFields for BodySchema {
    fn required<R: Rule>(&mut self, name: &'static str, rule: R, description: &'static str) -> Option<R::Value> {
        self.required.push(name);
        self.add(name, description, rule.schema());
        None
    }

    fn optional<R: Rule>(&mut self, name: &'static str, rule: R, description: &'static str) -> Option<R::Value> {
        self.add(name, description, rule.schema());
        None
    }

    fn nullable<R: Rule>(&mut self, name: &'static str, rule: R, description: &'static str) -> Field<R::Value> {
        let mut schema = rule.schema();
        schema["type"] = json!([schema["type"], "null"]);
        self.add(name, description, schema);
        Field::Keep
    }
}

//! Parses the fields of an object one by one and collects all faults.

use crate::validation::body_fields::{BodyFields, Rule};
use crate::validation::{Faults, Field, FieldErrors, FieldFault, Json};

/// Parses the fields of a body, and collects the faults.
pub struct BodyReader {
    /// The fields in the order of the body. A field that was parsed is `None`.
    fields: Vec<Option<(String, Json)>>,
    faults: Faults,
}

impl BodyReader {
    /// Creates a reader of a body.
    ///
    /// # Errors
    /// A fault of the body itself if the body is not an object.
    pub fn new(body: Json) -> Result<Self, Faults> {
        match body {
            Json::Object(fields) => {
                Ok(Self { fields: fields.into_iter().map(Some).collect(), faults: Faults::default() })
            }
            _ => Err(FieldFault { pointer: String::new(), detail: "expected a JSON object".to_owned() }.into()),
        }
    }

    /// Returns whether the body has a field with this name. A field that was parsed does not count.
    #[must_use]
    pub fn has_field(&self, name: &str) -> bool {
        self.fields.iter().flatten().any(|(field, _)| field == name)
    }

    /// Parses a required field.
    pub fn required<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Option<T> {
        self.required_owned(name, |value| parse(&value))
    }

    /// Parses a required field that is moved out of the body.
    pub(crate) fn required_owned<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(Json) -> Result<T, FieldErrors>,
    ) -> Option<T> {
        if !self.has_field(name) {
            self.faults.add(|| FieldFault::of_field(name, "is required"));
        }
        let value = self.take(name)?;
        self.faults.accept(name, parse(value))
    }

    /// Parses a field that may be absent.
    pub fn optional<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Option<T> {
        let value = self.take(name)?;
        self.faults.accept(name, parse(&value))
    }

    /// Parses a field that may be absent or `null`.
    pub fn nullable<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Field<T> {
        match self.take(name) {
            None => Field::Keep,
            Some(Json::Null) => Field::Clear,
            Some(value) => self.faults.accept(name, parse(&value)).map_or(Field::Keep, Field::Set),
        }
    }

    /// Returns all faults. Each field that was not parsed is a fault, because its name is unknown.
    #[must_use]
    pub fn finish(mut self) -> Faults {
        for (name, _) in self.fields.iter().flatten() {
            self.faults.add(|| FieldFault::of_field(name, "is not a field of this body"));
        }
        self.faults
    }

    /// Parses the fields that `declare` lists. `declare` returns `None` if a required field is absent or invalid.
    pub(crate) fn read<T>(mut self, declare: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Faults> {
        let value = declare(&mut self);
        let faults = self.finish();
        value.filter(|_| faults.is_empty()).ok_or(faults)
    }

    /// Moves a field out of the body, if it is present.
    pub(crate) fn take(&mut self, name: &str) -> Option<Json> {
        let has_name = |field: &&mut Option<(String, Json)>| field.as_ref().is_some_and(|(other, _)| other == name);
        self.fields.iter_mut().find(has_name)?.take().map(|(_, value)| value)
    }
}

impl BodyFields for BodyReader {
    fn required<R: Rule>(&mut self, name: &'static str, rule: R, _: &'static str) -> Option<R::Value> {
        self.required(name, |value| rule.read(value))
    }

    fn optional<R: Rule>(&mut self, name: &'static str, rule: R, _: &'static str) -> Option<R::Value> {
        self.optional(name, |value| rule.read(value))
    }

    fn nullable<R: Rule>(&mut self, name: &'static str, rule: R, _: &'static str) -> Field<R::Value> {
        self.nullable(name, |value| rule.read(value))
    }
}

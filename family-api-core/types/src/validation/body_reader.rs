//! Parses the members of an object one by one and collects all faults.

use crate::validation::body_fields::{BodyFields, Rule};
use crate::validation::{Faults, Field, FieldErrors, FieldFault, Json};

/// Parses the members of a body, and collects the faults.
pub struct BodyReader {
    /// The members in the order of the body. A member that was parsed is `None`.
    members: Vec<Option<(String, Json)>>,
    faults: Faults,
}

impl BodyReader {
    /// Creates a reader of a body.
    ///
    /// # Errors
    /// A fault of the body itself if the body is not an object.
    pub fn new(body: Json) -> Result<Self, Faults> {
        match body {
            Json::Object(members) => {
                Ok(Self { members: members.into_iter().map(Some).collect(), faults: Faults::default() })
            }
            _ => Err(FieldFault { pointer: String::new(), detail: "expected a JSON object".to_owned() }.into()),
        }
    }

    /// Returns whether the body has a member with this name. A member that was parsed does not count.
    #[must_use]
    pub fn has_member(&self, name: &str) -> bool {
        self.members.iter().flatten().any(|(member, _)| member == name)
    }

    /// Parses a required member.
    pub fn required<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Option<T> {
        if !self.has_member(name) {
            self.faults.add(|| FieldFault::of_member(name, "is required"));
        }
        self.optional(name, parse)
    }

    /// Parses a member that may be absent.
    pub fn optional<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Option<T> {
        let value = self.take(name)?;
        self.faults.accept(name, parse(&value))
    }

    /// Parses a member that may be absent or `null`.
    pub fn nullable<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Field<T> {
        match self.take(name) {
            None => Field::Keep,
            Some(Json::Null) => Field::Clear,
            Some(value) => self.faults.accept(name, parse(&value)).map_or(Field::Keep, Field::Set),
        }
    }

    /// Returns all faults. Each member that was not parsed is a fault, because its name is unknown.
    #[must_use]
    pub fn finish(mut self) -> Faults {
        for (name, _) in self.members.iter().flatten() {
            self.faults.add(|| FieldFault::of_member(name, "is not a field of this body"));
        }
        self.faults
    }

    /// Parses the fields that `declare` lists. `declare` returns `None` if a required field is absent or invalid.
    pub(crate) fn read<T>(mut self, declare: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Faults> {
        let value = declare(&mut self);
        let faults = self.finish();
        value.filter(|_| faults.is_empty()).ok_or(faults)
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let has_name = |member: &&mut Option<(String, Json)>| member.as_ref().is_some_and(|(other, _)| other == name);
        self.members.iter_mut().find(has_name)?.take().map(|(_, value)| value)
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

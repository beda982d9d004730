//! Reads the members of an object one by one and collects every fault.

use crate::change::{Faults, Field, FieldErrors, FieldFault, Json};

/// The members of a body that were not read yet, and what was wrong so far.
pub struct BodyReader {
    /// In the order of the body; `None` is a member that was read.
    members: Vec<Option<(String, Json)>>,
    faults: Faults,
}

impl BodyReader {
    /// Opens a body.
    ///
    /// # Errors
    /// A fault of the body itself where it is no object.
    pub fn new(body: Json) -> Result<Self, Faults> {
        match body {
            Json::Object(members) => {
                Ok(Self { members: members.into_iter().map(Some).collect(), faults: Faults::default() })
            }
            _ => Err(FieldFault { pointer: String::new(), detail: "expected a JSON object".to_owned() }.into()),
        }
    }

    /// Whether the body names a member of that name.
    #[must_use]
    pub fn names(&self, name: &str) -> bool {
        self.members.iter().flatten().any(|(member, _)| member == name)
    }

    /// A member that must be there.
    pub fn required<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Option<T> {
        if !self.names(name) {
            self.faults.add(|| FieldFault::of_member(name, "is required"));
        }
        self.optional(name, parse)
    }

    /// A member that may be left out.
    pub fn optional<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Option<T> {
        let value = self.take(name)?;
        self.faults.judge(name, parse(&value))
    }

    /// A member that may be left out or `null`.
    pub fn nullable<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, FieldErrors>) -> Field<T> {
        match self.take(name) {
            None => Field::Keep,
            Some(Json::Null) => Field::Clear,
            Some(value) => self.faults.judge(name, parse(&value)).map_or(Field::Keep, Field::Set),
        }
    }

    /// Every fault, now that all known members were read: whatever is left is unknown.
    #[must_use]
    pub fn finish(mut self) -> Faults {
        for (name, _) in self.members.iter().flatten() {
            self.faults.add(|| FieldFault::of_member(name, "is not a field of this body"));
        }
        self.faults
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let is_named = |member: &&mut Option<(String, Json)>| member.as_ref().is_some_and(|(named, _)| named == name);
        self.members.iter_mut().find(is_named)?.take().map(|(_, value)| value)
    }
}

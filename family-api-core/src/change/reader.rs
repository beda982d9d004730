//! Reads the members of an object one by one and collects every fault.

use crate::change::{Faults, Field, FieldFault, Json, Misfit};

/// The members of a body that were not read yet, and what was wrong so far.
pub struct Reader {
    members: Vec<(String, Json)>,
    faults: Faults,
}

impl Reader {
    /// Opens a body.
    ///
    /// # Errors
    /// A fault of the body itself where it is no object.
    pub fn new(body: Json) -> Result<Self, Vec<FieldFault>> {
        match body {
            Json::Object(members) => Ok(Self { members, faults: Faults::default() }),
            _ => Err(vec![FieldFault { pointer: String::new(), detail: "expected a JSON object".to_owned() }]),
        }
    }

    /// Whether the body names a member of that name.
    #[must_use]
    pub fn names(&self, name: &str) -> bool {
        self.members.iter().any(|(member, _)| member == name)
    }

    /// A member that must be there.
    pub fn required<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, Misfit>) -> Option<T> {
        if !self.names(name) {
            self.faults.push(FieldFault::of_member(name, "is required"));
        }
        self.optional(name, parse)
    }

    /// A member that may be left out.
    pub fn optional<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, Misfit>) -> Option<T> {
        let value = self.take(name)?;
        self.faults.judge(name, parse(&value))
    }

    /// A member that may be left out or `null`.
    pub fn nullable<T>(&mut self, name: &str, parse: impl FnOnce(&Json) -> Result<T, Misfit>) -> Field<T> {
        match self.take(name) {
            None => Field::Keep,
            Some(Json::Null) => Field::Clear,
            Some(value) => self.faults.judge(name, parse(&value)).map_or(Field::Keep, Field::Set),
        }
    }

    /// Every fault, now that all known members were read: whatever is left is unknown.
    #[must_use]
    pub fn finish(self) -> Vec<FieldFault> {
        let unknown =
            self.members.into_iter().map(|(name, _)| FieldFault::of_member(&name, "is not a field of this body"));
        self.faults.into_vec().into_iter().chain(unknown).collect()
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let place = self.members.iter().position(|(member, _)| member == name)?;
        Some(self.members.remove(place).1)
    }
}

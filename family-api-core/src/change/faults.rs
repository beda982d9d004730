//! What is wrong with a body, and where.

use serde::{Deserialize, Serialize};

/// One fault of a request body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{pointer}: {detail}")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldFault {
    /// Where: a JSON Pointer (RFC 6901); `""` is the body itself.
    pub pointer: String,
    /// What was expected there.
    pub detail: String,
}

impl FieldFault {
    /// A fault of a member of the body.
    #[must_use]
    pub fn of_member(name: &str, detail: &str) -> Self {
        Self { pointer: pointer(name), detail: detail.to_owned() }
    }
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Why a value does not fit its field: each fault with its place below the field.
#[derive(Debug)]
pub struct Misfit(Vec<(String, &'static str)>);

impl Misfit {
    /// Faults of the elements of a list, by their index.
    #[must_use]
    pub fn of_elements(faults: impl IntoIterator<Item = (usize, &'static str)>) -> Self {
        Self(faults.into_iter().map(|(index, detail)| (format!("/{index}"), detail)).collect())
    }

    /// A fault of the value itself besides.
    #[must_use]
    pub fn and(mut self, detail: &'static str) -> Self {
        self.0.insert(0, (String::new(), detail));
        self
    }

    /// The value, where there is no fault.
    ///
    /// # Errors
    /// The faults.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    pub(crate) fn at(self, member: &str) -> impl Iterator<Item = FieldFault> {
        let base = pointer(member);
        self.0.into_iter().map(move |(below, detail)| FieldFault {
            pointer: [base.as_str(), &below].concat(),
            detail: detail.to_owned(),
        })
    }
}

impl From<&'static str> for Misfit {
    fn from(detail: &'static str) -> Self {
        Self(vec![(String::new(), detail)])
    }
}

/// The faults of a body so far.
#[derive(Default)]
pub(crate) struct Faults(Vec<FieldFault>);

impl Faults {
    pub(crate) fn push(&mut self, fault: FieldFault) {
        self.0.push(fault);
    }

    /// Keeps what is wrong with a member; what was read of it goes on.
    pub(crate) fn judge<T>(&mut self, name: &str, parsed: Result<T, impl Into<Misfit>>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(fault) => {
                self.0.extend(fault.into().at(name));
                None
            }
        }
    }

    /// Keeps what is wrong with a member, if it is there.
    pub(crate) fn check(&mut self, name: &str, judged: Option<Result<(), impl Into<Misfit>>>) {
        if let Some(judged) = judged {
            self.judge(name, judged);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<FieldFault> {
        self.0
    }

    pub(crate) fn into_result(self) -> Result<(), Vec<FieldFault>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}

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
    /// A fault of a member of the body. A name of more than 100 characters is cut off, and `…` stands for the rest.
    #[must_use]
    pub fn of_member(name: &str, detail: &str) -> Self {
        Self { pointer: pointer(name), detail: detail.to_owned() }
    }

    /// A fault of a member, or of the element at that index of it.
    fn of_value(name: &str, index: Option<usize>, detail: &str) -> Self {
        let below = index.map(|index| format!("/{index}")).unwrap_or_default();
        Self { pointer: pointer(name) + &below, detail: detail.to_owned() }
    }

    /// How many bytes it takes as JSON, the comma behind it included.
    fn json_len(&self) -> usize {
        serde_json::to_string(self).map_or(usize::MAX, |json| json.len() + 1)
    }
}

/// The longest name of a member that a pointer repeats whole, in characters.
const MAX_NAME: usize = 100;

fn pointer(name: &str) -> String {
    let mut pointer = "/".to_owned();
    for (index, letter) in name.chars().enumerate() {
        match letter {
            _ if index == MAX_NAME => {
                pointer.push('…');
                break;
            }
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(letter),
        }
    }
    pointer
}

/// Why a value does not fit its field: each fault with its place below the field.
#[derive(Debug)]
pub struct FieldErrors(Vec<(Option<usize>, &'static str)>);

impl FieldErrors {
    /// Faults of the elements of a list, by their index.
    #[must_use]
    pub fn of_elements(faults: impl IntoIterator<Item = (usize, &'static str)>) -> Self {
        Self(faults.into_iter().map(|(index, detail)| (Some(index), detail)).collect())
    }

    /// The value, where there is no fault.
    ///
    /// # Errors
    /// The faults.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl From<&'static str> for FieldErrors {
    fn from(detail: &'static str) -> Self {
        Self(vec![(None, detail)])
    }
}

/// The faults of a request body: lists the first ones and counts all.
///
/// The list has at most 50 faults and at most 12 KiB of JSON, so that a small request gets no large answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    listed: Vec<FieldFault>,
    json_len: usize,
    count: usize,
}

impl Faults {
    /// The maximum number of faults in the list.
    pub const MAX_LISTED: usize = 50;

    /// The maximum length of the list, in bytes of JSON.
    const MAX_JSON_LEN: usize = 12 * 1024;

    /// The first faults.
    #[must_use]
    pub fn listed(&self) -> &[FieldFault] {
        &self.listed
    }

    /// How many faults there are, listed or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether there is no fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Counts a fault, and makes it only if the list has room for it.
    pub(crate) fn add(&mut self, make: impl FnOnce() -> FieldFault) {
        let is_complete = self.listed.len() == self.count;
        self.count += 1;
        if !is_complete || self.listed.len() == Self::MAX_LISTED {
            return;
        }
        let fault = make();
        let json_len = self.json_len.saturating_add(fault.json_len());
        if json_len <= Self::MAX_JSON_LEN {
            self.json_len = json_len;
            self.listed.push(fault);
        }
    }

    /// Keeps what is wrong with a member; what was read of it goes on.
    pub(crate) fn judge<T>(&mut self, name: &str, parsed: Result<T, impl Into<FieldErrors>>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(fault) => {
                for (index, detail) in fault.into().0 {
                    self.add(|| FieldFault::of_value(name, index, detail));
                }
                None
            }
        }
    }

    /// Keeps what is wrong with a member, if it is there.
    pub(crate) fn check(&mut self, name: &str, judged: Option<Result<(), impl Into<FieldErrors>>>) {
        if let Some(judged) = judged {
            self.judge(name, judged);
        }
    }

    pub(crate) fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<FieldFault> for Faults {
    fn from(fault: FieldFault) -> Self {
        Self::from(vec![fault])
    }
}

impl From<Vec<FieldFault>> for Faults {
    fn from(all: Vec<FieldFault>) -> Self {
        let mut faults = Self::default();
        for fault in all {
            faults.add(|| fault);
        }
        faults
    }
}

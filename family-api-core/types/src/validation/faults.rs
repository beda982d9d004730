//! The faults of a request body.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One fault of a request body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{pointer}: {detail}")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldFault {
    /// Location of the fault as a JSON Pointer (RFC 6901); `""` is the body itself.
    pub pointer: String,
    /// What was expected at this location.
    pub detail: String,
}

impl FieldFault {
    /// Creates a fault of a field of the body. A name longer than 100 characters is truncated and ends with `…`.
    #[must_use]
    pub fn of_field(name: &str, detail: &str) -> Self {
        Self { pointer: pointer(name), detail: detail.to_owned() }
    }

    /// Creates a fault of an element of a list.
    #[must_use]
    pub fn of_element(name: &str, index: usize, detail: &str) -> Self {
        Self::of_value(name, Some(index), detail)
    }

    /// Creates a fault of a field, or of the element with the index if the field is a list.
    fn of_value(name: &str, index: Option<usize>, detail: &str) -> Self {
        let suffix = index.map(|index| format!("/{index}")).unwrap_or_default();
        Self { pointer: pointer(name) + &suffix, detail: detail.to_owned() }
    }

    /// Returns the length of the fault as JSON, in bytes, including a comma.
    fn json_len(&self) -> usize {
        serde_json::to_string(self).map_or(usize::MAX, |json| json.len() + 1)
    }
}

/// Maximum length of a name in a pointer, in characters. A longer name is truncated.
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

/// The faults of the value of a field, each with the index of the element if the value is a list.
#[derive(Debug)]
pub struct FieldErrors(Vec<(Option<usize>, Cow<'static, str>)>);

impl FieldErrors {
    /// Creates faults of elements of a list from their indexes and details.
    #[must_use]
    pub fn of_elements(faults: impl IntoIterator<Item = (usize, &'static str)>) -> Self {
        Self(faults.into_iter().map(|(index, detail)| (Some(index), detail.into())).collect())
    }

    /// Returns the value if there are no faults.
    ///
    /// # Errors
    /// The faults.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl From<&'static str> for FieldErrors {
    fn from(detail: &'static str) -> Self {
        Self(vec![(None, detail.into())])
    }
}

impl From<String> for FieldErrors {
    fn from(detail: String) -> Self {
        Self(vec![(None, detail.into())])
    }
}

/// The faults of a request body: a list of the first faults, and the number of all faults.
///
/// The list has at most 50 faults and at most 12 KiB of JSON, so that a small request cannot cause a large response.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
#[error("the request body has {}", invalid_field_count(*.count))]
pub struct Faults {
    listed: Vec<FieldFault>,
    json_len: usize,
    count: usize,
}

fn invalid_field_count(faults: usize) -> String {
    match faults {
        1 => "1 invalid field".to_owned(),
        many => format!("{many} invalid fields"),
    }
}

impl Faults {
    /// Maximum number of faults in the list.
    pub const MAX_LISTED: usize = 50;

    /// Maximum length of the list as JSON, in bytes.
    const MAX_JSON_LEN: usize = 12 * 1024;

    /// Returns the first faults.
    #[must_use]
    pub fn listed(&self) -> &[FieldFault] {
        &self.listed
    }

    /// Returns the number of all faults, including those that are not listed.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether there is no fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the faults of a part of a body as faults of the whole body. `pointer` is the location of the part.
    #[must_use]
    pub(crate) fn below(&self, pointer: &str) -> Self {
        let located =
            |fault: &FieldFault| FieldFault { pointer: format!("{pointer}{}", fault.pointer), ..fault.clone() };
        let faults = Self::from(self.listed.iter().map(located).collect::<Vec<_>>());
        Self { count: self.count, ..faults }
    }

    /// Counts a fault. Calls `make` and adds the fault only if the list has room for it.
    pub(crate) fn add(&mut self, make: impl FnOnce() -> FieldFault) {
        let is_list_complete = self.listed.len() == self.count;
        self.count += 1;
        if !is_list_complete || self.listed.len() == Self::MAX_LISTED {
            return;
        }
        let fault = make();
        let json_len = self.json_len.saturating_add(fault.json_len());
        if json_len <= Self::MAX_JSON_LEN {
            self.json_len = json_len;
            self.listed.push(fault);
        }
    }

    /// Returns the value of a field if it is valid, and adds its faults otherwise.
    pub(crate) fn accept<T>(&mut self, name: &str, parsed: Result<T, impl Into<FieldErrors>>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(fault) => {
                for (index, detail) in fault.into().0 {
                    self.add(|| FieldFault::of_value(name, index, &detail));
                }
                None
            }
        }
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

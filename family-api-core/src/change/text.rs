//! Rules for single values that several bodies share.

use std::ops::RangeInclusive;

use crate::change::{FieldErrors, Json, Reference};

/// The rule for a text. No text may contain U+0000.
pub(crate) struct TextRule {
    /// Allowed length, in characters.
    pub(crate) length: RangeInclusive<usize>,
    /// The message if the value has another length or is not a string.
    pub(crate) expected: &'static str,
}

impl TextRule {
    /// Checks a text.
    pub(crate) fn check(&self, text: &str) -> Result<(), &'static str> {
        if !self.length.contains(&text.chars().count()) {
            return Err(self.expected);
        }
        without_nul(text)
    }

    /// Parses and checks a text.
    pub(super) fn read(&self, value: &Json) -> Result<String, FieldErrors> {
        let text = value.as_str().ok_or(self.expected)?;
        self.check(text)?;
        Ok(text.to_owned())
    }
}

pub(super) fn without_nul(text: &str) -> Result<(), &'static str> {
    if text.contains('\0') { Err("must not contain U+0000") } else { Ok(()) }
}

/// Parses `true` or `false`.
pub(super) fn boolean(value: &Json) -> Result<bool, FieldErrors> {
    match value {
        Json::Bool(value) => Ok(*value),
        _ => Err("expected true or false".into()),
    }
}

const WORD: TextRule = TextRule { length: 1..=50, expected: "expected a string of 1 to 50 characters" };

/// Maximum number of labels or tags.
const MAX_WORDS: usize = 50;

/// Parses labels or tags: at most 50 strings of 1–50 characters.
pub(super) fn read_words(value: &Json) -> Result<Vec<String>, FieldErrors> {
    let Json::Array(elements) = value else {
        return Err("expected an array of strings".into());
    };
    check_elements(elements, Json::as_str)?;
    Ok(elements.iter().filter_map(Json::as_str).map(str::to_owned).collect())
}

/// Checks labels or tags.
pub(super) fn check_words(words: &[String]) -> Result<(), FieldErrors> {
    check_elements(words, |word| Some(word))
}

/// Checks the number of elements first. If there are too many, it does not check any element.
fn check_elements<T>(elements: &[T], word: impl Fn(&T) -> Option<&str>) -> Result<(), FieldErrors> {
    if elements.len() > MAX_WORDS {
        return Err("must have at most 50 elements".into());
    }
    let check = |element| word(element).ok_or(WORD.expected).and_then(|word| WORD.check(word));
    let faults = elements.iter().enumerate().filter_map(|(index, element)| Some((index, check(element).err()?)));
    FieldErrors::of_elements(faults).or(())
}

/// Parses a reference to a record.
pub(super) fn reference<I: std::str::FromStr>(value: &Json) -> Result<Reference<I>, FieldErrors> {
    Ok(value.as_str().ok_or("expected an identifier")?.into())
}

/// Parses a reference to a record, or `""` for none.
pub(super) fn reference_or_blank<I: std::str::FromStr>(value: &Json) -> Result<Option<Reference<I>>, FieldErrors> {
    match value.as_str().ok_or("expected an identifier or null")? {
        "" => Ok(None),
        id => Ok(Some(id.into())),
    }
}

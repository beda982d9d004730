//! Rules of single values that several bodies share.

use std::ops::RangeInclusive;

use crate::change::{FieldErrors, Json, Reference};

/// What a text may be; U+0000 it may never hold.
pub(crate) struct TextRule {
    /// So many characters.
    pub(crate) length: RangeInclusive<usize>,
    /// What is expected, where it is another length or no text at all.
    pub(crate) expected: &'static str,
}

impl TextRule {
    /// Judges a text.
    pub(crate) fn check(&self, text: &str) -> Result<(), &'static str> {
        if !self.length.contains(&text.chars().count()) {
            return Err(self.expected);
        }
        without_nul(text)
    }

    /// Reads a text and judges it.
    pub(super) fn read(&self, value: &Json) -> Result<String, FieldErrors> {
        let text = value.as_str().ok_or(self.expected)?;
        self.check(text)?;
        Ok(text.to_owned())
    }
}

pub(super) fn without_nul(text: &str) -> Result<(), &'static str> {
    if text.contains('\0') { Err("must not hold U+0000") } else { Ok(()) }
}

/// `true` or `false`.
pub(super) fn boolean(value: &Json) -> Result<bool, FieldErrors> {
    match value {
        Json::Bool(value) => Ok(*value),
        _ => Err("expected true or false".into()),
    }
}

const WORD: TextRule = TextRule { length: 1..=50, expected: "expected a string of 1 to 50 characters" };

/// The maximum number of labels or tags.
const MAX_WORDS: usize = 50;

/// At most 50 strings of 1–50 characters: labels and tags.
pub(super) fn read_words(value: &Json) -> Result<Vec<String>, FieldErrors> {
    let Json::Array(elements) = value else {
        return Err("expected an array of strings".into());
    };
    judge_words(elements, Json::as_str)?;
    Ok(elements.iter().filter_map(Json::as_str).map(str::to_owned).collect())
}

/// Judges labels or tags.
pub(super) fn check_words(words: &[String]) -> Result<(), FieldErrors> {
    judge_words(words, |word| Some(word))
}

/// Measures the list first: of a list that is too long, no element is judged.
fn judge_words<T>(elements: &[T], word: impl Fn(&T) -> Option<&str>) -> Result<(), FieldErrors> {
    if elements.len() > MAX_WORDS {
        return Err("must have at most 50 elements".into());
    }
    let judge = |element| word(element).ok_or(WORD.expected).and_then(|word| WORD.check(word));
    let faults = elements.iter().enumerate().filter_map(|(index, element)| Some((index, judge(element).err()?)));
    FieldErrors::of_elements(faults).or(())
}

/// The name of a record.
pub(super) fn reference<I: std::str::FromStr>(value: &Json) -> Result<Reference<I>, FieldErrors> {
    Ok(value.as_str().ok_or("expected an identifier")?.into())
}

/// The name of a record, or `""` for none.
pub(super) fn reference_or_blank<I: std::str::FromStr>(value: &Json) -> Result<Option<Reference<I>>, FieldErrors> {
    match value.as_str().ok_or("expected an identifier or null")? {
        "" => Ok(None),
        id => Ok(Some(id.into())),
    }
}

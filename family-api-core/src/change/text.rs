//! Parsers of single values that several bodies share.

use std::ops::RangeInclusive;

use crate::change::{Json, Misfit, Reference};

/// A string of so many characters, without U+0000.
pub(super) fn text(value: &Json, length: RangeInclusive<usize>, expected: &'static str) -> Result<String, Misfit> {
    let text = value.as_str().ok_or(expected)?;
    if !length.contains(&text.chars().count()) {
        return Err(expected.into());
    }
    Ok(without_nul(text)?.to_owned())
}

pub(super) fn without_nul(text: &str) -> Result<&str, &'static str> {
    if text.contains('\0') { Err("must not hold U+0000") } else { Ok(text) }
}

/// `true` or `false`.
pub(super) fn boolean(value: &Json) -> Result<bool, Misfit> {
    match value {
        Json::Bool(value) => Ok(*value),
        _ => Err("expected true or false".into()),
    }
}

/// At most 50 strings of 1–50 characters: labels and tags.
pub(super) fn words(value: &Json) -> Result<Vec<String>, Misfit> {
    let Json::Array(elements) = value else {
        return Err("expected an array of strings".into());
    };
    let mut words = Vec::with_capacity(elements.len());
    let mut faults = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        match word(element) {
            Ok(word) => words.push(word),
            Err(detail) => faults.push((index, detail)),
        }
    }
    let misfit = Misfit::of_elements(faults);
    if elements.len() > 50 { Err(misfit.and("must have at most 50 elements")) } else { misfit.or(words) }
}

fn word(element: &Json) -> Result<String, &'static str> {
    const EXPECTED: &str = "expected a string of 1 to 50 characters";
    let word = element.as_str().ok_or(EXPECTED)?;
    if !(1..=50).contains(&word.chars().count()) {
        return Err(EXPECTED);
    }
    without_nul(word).map(str::to_owned)
}

/// The name of a record.
pub(super) fn reference<I: std::str::FromStr>(value: &Json) -> Result<Reference<I>, Misfit> {
    Ok(value.as_str().ok_or("expected an identifier")?.into())
}

/// The name of a record, or `""` for none.
pub(super) fn reference_or_blank<I: std::str::FromStr>(value: &Json) -> Result<Option<Reference<I>>, Misfit> {
    match value.as_str().ok_or("expected an identifier or null")? {
        "" => Ok(None),
        id => Ok(Some(id.into())),
    }
}

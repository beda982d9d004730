//! Case-insensitive text search.

use std::ops::Range;
use std::str::FromStr;

use crate::resource::InvalidQuery;

/// Maximum length of a text to search for, in characters.
const MAX_CHARS: usize = 200;

/// A text to search for. It occurs in another text if it is part of it, regardless of case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText {
    folded: Vec<char>,
}

impl SearchText {
    /// Returns whether the text occurs.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Returns the bytes of the first occurrence.
    pub(crate) fn find(&self, text: &str) -> Option<Range<usize>> {
        let folded: Vec<(usize, char)> =
            text.char_indices().flat_map(|(at, char)| fold(char).map(move |folded| (at, folded))).collect();
        let is_match = |window: &[(usize, char)]| window.iter().map(|(_, folded)| folded).eq(self.folded.iter());
        let window = folded.windows(self.folded.len()).find(|window| is_match(window))?;
        let start = window.first()?.0;
        let last = window.last()?.0;
        let end = last + text.get(last..)?.chars().next()?.len_utf8();
        Some(start..end)
    }
}

/// Trims the text.
impl FromStr for SearchText {
    type Err = InvalidQuery;

    fn from_str(text: &str) -> Result<Self, InvalidQuery> {
        let text = text.trim();
        if text.is_empty() || text.chars().nth(MAX_CHARS).is_some() {
            return Err(InvalidQuery { parameter: "text", expected: "1 to 200 characters" });
        }
        Ok(Self { folded: text.chars().flat_map(fold).collect() })
    }
}

/// Returns the lower case of a character. The final form of sigma counts as sigma, because it is a matter of position.
fn fold(char: char) -> impl Iterator<Item = char> {
    char.to_lowercase().map(|lower| if lower == 'ς' { 'σ' } else { lower })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(needle: &str, text: &'a str) -> Option<&'a str> {
        needle.parse::<SearchText>().unwrap().find(text).map(|range| &text[range])
    }

    #[test]
    fn case_does_not_matter_in_any_script() {
        assert_eq!(find("MILK", "Buy milk today"), Some("milk"));
        assert_eq!(find("молоко", "Купити МОЛОКО"), Some("МОЛОКО"));
        assert_eq!(find("σοφός", "ΣΟΦΌΣ"), Some("ΣΟΦΌΣ"));
        assert_eq!(find("istanbul", "İstanbul"), None);
        assert_eq!(find("i̇stanbul", "İstanbul"), Some("İstanbul"));
        assert_eq!(find("🥛", "a🥛b"), Some("🥛"));
    }

    #[test]
    fn a_text_that_is_not_part_of_another_is_not_found() {
        for text in ["", "mil", "m ilk", "mi1k"] {
            assert_eq!(find("milk", text), None, "{text}");
        }
        assert_eq!(find("%", "milk"), None);
        assert_eq!(find(" milk ", "milk"), Some("milk"));
    }

    #[test]
    fn only_texts_of_1_to_200_characters_are_accepted() {
        assert!("é".repeat(200).parse::<SearchText>().is_ok());
        for bad in [String::new(), " \n".to_owned(), "x".repeat(201)] {
            assert_eq!(bad.parse::<SearchText>().unwrap_err().parameter, "text");
        }
    }
}

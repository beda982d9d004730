//! Text search that ignores case and hyphens.

use std::ops::Range;
use std::str::FromStr;

use crate::resource::InvalidQuery;

/// Maximum length of a text to search for, in characters.
const MAX_CHARS: usize = 200;

/// A text to search for. It occurs in another text if it is part of it, regardless of case and hyphens: `wifi` occurs in
/// `Wi-Fi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText {
    text: String,
    folded: String,
}

impl SearchText {
    /// Returns the text, trimmed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the text occurs.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        fold_text(text).contains(&self.folded)
    }

    /// Returns the bytes of the first occurrence.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        // The search takes linear time, also for a text that repeats a part of the searched one.
        let start = fold_text(text).find(&self.folded)?;
        let end = start + self.folded.len();
        // The folded form of a character may have another length, so positions are counted again in the text.
        let mut chars = text.char_indices().scan(0, |folded_end, (at, char)| {
            *folded_end += folded_len(char);
            Some((at..at + char.len_utf8(), *folded_end))
        });
        let (first, first_end) = chars.find(|(_, folded_end)| *folded_end > start)?;
        if first_end >= end {
            return Some(first);
        }
        let (last, _) = chars.find(|(_, folded_end)| *folded_end >= end)?;
        Some(first.start..last.end)
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
        let folded = fold_text(text);
        if folded.is_empty() {
            return Err(InvalidQuery { parameter: "text", expected: "a text that has not only hyphens" });
        }
        Ok(Self { text: text.to_owned(), folded })
    }
}

/// Returns the lower case of a character, and nothing for a hyphen. The final form of sigma counts as sigma, because it
/// is a matter of position.
fn fold(char: char) -> impl Iterator<Item = char> {
    let lower = (!is_hyphen(char)).then(|| char.to_lowercase());
    lower.into_iter().flatten().map(|lower| if lower == 'ς' { 'σ' } else { lower })
}

/// Returns whether a character is a hyphen, a soft hyphen or a non-breaking hyphen.
fn is_hyphen(char: char) -> bool {
    matches!(char, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}')
}

/// Returns the text with each character [folded](fold).
fn fold_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            'ς' => folded.push('σ'),
            _ if is_hyphen(char) => {}
            _ if char.is_ascii() => folded.push(char.to_ascii_lowercase()),
            // This test is 4 times as fast as the conversion, and most letters are in lower case already.
            _ if char.is_lowercase() => folded.push(char),
            _ => folded.extend(fold(char)),
        }
    }
    folded
}

/// Returns the length of a folded character, in bytes.
fn folded_len(char: char) -> usize {
    fold(char).map(char::len_utf8).sum()
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
    fn hyphens_do_not_matter() {
        for needle in ["wifi", "WI-FI", "w-i\u{2011}fi-"] {
            assert_eq!(find(needle, "-Wi-Fi-"), Some("Wi-Fi"), "{needle}");
            assert_eq!(find(needle, "the wifi"), Some("wifi"), "{needle}");
        }
        assert_eq!(find("wifi", "Wi Fi"), None);
        assert_eq!("-\u{ad}".parse::<SearchText>().unwrap_err().parameter, "text");
    }

    #[test]
    fn a_match_in_a_folded_character_has_the_whole_character() {
        // `İ` folds to `i` and a combining dot. `ẞ` folds to a shorter character.
        assert_eq!(find("i", "aİb"), Some("İ"));
        assert_eq!(find("\u{307}b", "aİbc"), Some("İb"));
        assert_eq!(find("ß", "ẞẞ"), Some("ẞ"));
        assert_eq!(find("İİ", "xİİx"), Some("İİ"));
        assert_eq!(find("c", "ẞİẞc"), Some("c"));
    }

    #[test]
    fn a_text_folds_like_each_of_its_characters() {
        for char in '\0'..=char::MAX {
            assert!(fold_text(char.encode_utf8(&mut [0; 4])).chars().eq(fold(char)), "{char:?}");
        }
    }

    #[test]
    fn the_first_match_of_a_repeated_part_is_found() {
        let needle = format!("{}b", "a".repeat(199));
        assert_eq!(find(&needle, &"a".repeat(200_000)), None);
        let text = format!("{}B!", "a".repeat(1_000));
        let found = needle.parse::<SearchText>().unwrap().find(&text);
        assert_eq!(found, Some(801..1_001));
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

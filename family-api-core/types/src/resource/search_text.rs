//! Text search that ignores case, hyphens, accents and the order of words.

use std::ops::Range;
use std::str::FromStr;

use icu_normalizer::properties::{CanonicalDecomposition, CanonicalDecompositionBorrowed, Decomposed};

use crate::resource::InvalidQuery;

/// Maximum length of a text to search for, in characters.
const MAX_CHARS: usize = 200;

/// The last character that can have an accent. Those after it are not decomposed: a syllable of Korean or Japanese would
/// be part of others.
const LAST_ACCENTED: char = '\u{1fff}';

/// Maximum number of words, because each is searched for in every text.
const MAX_WORDS: usize = 10;

/// Words to search for. They occur in a record if each is part of one of its texts, in any order, regardless of case,
/// hyphens and accents: `pass wifi` occurs in `Wi-Fi password`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText {
    text: String,
    /// The [folded](fold) words.
    words: Vec<String>,
}

impl SearchText {
    /// Returns the text, trimmed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether each word occurs in one of the texts.
    #[must_use]
    pub fn is_in<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let mut missing: Vec<&str> = self.words.iter().map(String::as_str).collect();
        texts.into_iter().any(|text| {
            let text = fold_text(text);
            missing.retain(|word| !text.contains(word));
            missing.is_empty()
        })
    }

    /// Returns whether each word occurs in one of the texts as a whole word: no letter or digit is next to it.
    #[must_use]
    pub fn is_whole_in<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let mut missing: Vec<&str> = self.words.iter().map(String::as_str).collect();
        texts.into_iter().any(|text| {
            let text = fold_text(text);
            missing.retain(|word| !has_whole_word(&text, word));
            missing.is_empty()
        })
    }

    /// Returns the bytes of the first occurrence of a word.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        let folded = fold_text(text);
        // The search takes linear time, also for a word that repeats a part of the searched one.
        let found = self.words.iter().filter_map(|word| folded.find(word).map(|start| start..start + word.len()));
        let Range { start, end } = found.min_by_key(|range| range.start)?;
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

/// Returns whether a folded text has a folded word with no letter or digit next to it.
fn has_whole_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.get(word.len()..).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

/// Trims the text.
impl FromStr for SearchText {
    type Err = InvalidQuery;

    fn from_str(text: &str) -> Result<Self, InvalidQuery> {
        let invalid = |expected| InvalidQuery { parameter: "text", expected };
        let text = text.trim();
        if text.is_empty() || text.chars().nth(MAX_CHARS).is_some() {
            return Err(invalid("1 to 200 characters"));
        }
        let words: Vec<_> = text.split_whitespace().map(fold_text).filter(|word| !word.is_empty()).collect();
        match words.len() {
            0 => Err(invalid("a text that has not only hyphens and accents")),
            1..=MAX_WORDS => Ok(Self { text: text.to_owned(), words }),
            _ => Err(invalid("at most 10 words")),
        }
    }
}

/// Gives each character of the folded form of a character to `add`: its lower case without accents, or nothing for a
/// hyphen or an accent.
fn fold(char: char, add: &mut impl FnMut(char)) {
    if !is_hyphen(char) {
        char.to_lowercase().for_each(|lower| remove_accents(lower, add));
    }
}

fn remove_accents(char: char, add: &mut impl FnMut(char)) {
    const DECOMPOSITION: CanonicalDecompositionBorrowed<'static> = CanonicalDecomposition::new();
    let decomposed = if char > LAST_ACCENTED { Decomposed::Default } else { DECOMPOSITION.decompose(char) };
    match decomposed {
        Decomposed::Expansion(base, mark) => [base, mark].into_iter().for_each(|part| remove_accents(part, add)),
        Decomposed::Singleton(other) => remove_accents(other, add),
        Decomposed::Default if is_accent(char) => {}
        Decomposed::Default => add(match char {
            // The final form of sigma is a matter of position.
            'ς' => 'σ',
            // Unicode does not decompose letters with a stroke.
            'ł' => 'l',
            'ø' => 'o',
            'đ' => 'd',
            other => other,
        }),
    }
}

/// Returns whether a character is a hyphen, a soft hyphen or a non-breaking hyphen.
fn is_hyphen(char: char) -> bool {
    matches!(char, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}')
}

/// Returns whether a character is an accent of Latin, Greek and Cyrillic letters, or a point of Hebrew or Arabic ones,
/// which are often left out. The marks of other scripts make other words.
const fn is_accent(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Returns a text in the form in which texts are compared: in lower case, without hyphens and accents.
#[must_use]
pub fn fold_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii() && char != '-' {
            folded.push(char.to_ascii_lowercase());
        } else {
            fold(char, &mut |part| folded.push(part));
        }
    }
    folded
}

/// Returns the length of a folded character, in bytes.
fn folded_len(char: char) -> usize {
    let mut len = 0;
    fold(char, &mut |part| len += part.len_utf8());
    len
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
        for needle in ["istanbul", "i̇stanbul"] {
            assert_eq!(find(needle, "İstanbul"), Some("İstanbul"));
        }
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
    fn accents_do_not_matter() {
        for (needle, text) in [
            ("cafe", "Café"),
            ("café", "cafe"),
            ("lozko", "Łóżko"),
            ("brod", "Brød"),
            ("чаи", "чай"),
            ("e\u{301}te\u{301}", "été"),
            ("ete", "e\u{301}te\u{301}"),
            ("שלום", "שָׁלוֹם"),
            ("мій", "МІИ"),
        ] {
            assert!(needle.parse::<SearchText>().unwrap().is_in([text]), "{needle} in {text}");
        }
        // The marks of other scripts are not accents.
        for (needle, text) in [("मन", "मान"), ("भक्त", "भकत"), ("หมู", "หมา"), ("かき", "かぎ"), ("가", "강")]
        {
            assert!(needle.parse::<SearchText>().unwrap().is_in([needle]), "{needle}");
            assert!(!needle.parse::<SearchText>().unwrap().is_in([text]), "{needle} in {text}");
        }
        assert_eq!(find("é", "e\u{301}te\u{301}"), Some("e"));
    }

    #[test]
    fn all_words_must_occur_in_any_order_and_in_any_of_the_texts() {
        let is_in = |words: &str, texts: &[&str]| words.parse::<SearchText>().unwrap().is_in(texts.iter().copied());
        assert!(is_in("password wifi", &["The Wi-Fi password"]));
        assert!(is_in("ana  dentist", &["Dentist", "Hospital", "with Ana"]));
        assert!(is_in("tooth -", &["toothbrush"]));
        assert!(!is_in("dentist ana", &["Dentist"]));
        assert!(!is_in("dentist", &[]));
        assert_eq!(find("password wifi", "The Wi-Fi password"), Some("Wi-Fi"));
        assert_eq!(find("password none", "The password"), Some("password"));
    }

    #[test]
    fn a_whole_word_has_no_letter_next_to_it() {
        let is_whole =
            |words: &str, texts: &[&str]| words.parse::<SearchText>().unwrap().is_whole_in(texts.iter().copied());
        for (words, text) in [
            ("car", "The CAR: red"),
            ("car", "Scar, car"),
            ("wifi", "Wi-Fi"),
            ("cafe", "(Café)"),
            ("молоко", "купити молоко!"),
            ("c++", "learn c++ today"),
        ] {
            assert!(is_whole(words, &[text]), "{words} in {text}");
        }
        for (words, text) in
            [("car", "Card scar"), ("car", "car2"), ("кар", "карта"), ("car red", "car redder"), ("x", "")]
        {
            assert!(!is_whole(words, &[text]), "{words} in {text}");
        }
        assert!(is_whole("red car", &["Car", "red"]) && !is_whole("red car", &["Car"]));
    }

    #[test]
    fn a_match_in_a_folded_character_has_the_whole_character() {
        // `İ` folds to `i` and a combining dot. `ẞ` folds to a shorter character.
        assert_eq!(find("i", "aİb"), Some("İ"));
        assert_eq!(find("ß", "ẞẞ"), Some("ẞ"));
        assert_eq!(find("İİ", "xİİx"), Some("İİ"));
        assert_eq!(find("c", "ẞİẞc"), Some("c"));
    }

    #[test]
    fn a_text_folds_like_each_of_its_characters() {
        for char in '\0'..=char::MAX {
            let mut folded = String::new();
            fold(char, &mut |part| folded.push(part));
            assert_eq!(fold_text(char.encode_utf8(&mut [0; 4])), folded, "{char:?}");
            assert_eq!(fold_text(&folded), folded, "{char:?} is folded twice");
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
    fn only_texts_of_1_to_200_characters_and_10_words_are_accepted() {
        assert!("é".repeat(200).parse::<SearchText>().is_ok());
        assert!("x ".repeat(10).parse::<SearchText>().is_ok());
        for bad in [String::new(), " \n".to_owned(), "x".repeat(201), "x ".repeat(11), "\u{301} -".to_owned()] {
            assert_eq!(bad.parse::<SearchText>().unwrap_err().parameter, "text");
        }
    }
}

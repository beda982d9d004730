//! All texts of the pages, in all languages.
//!
//! The layout, the errors and each page have a struct of texts. Each language is one file with the texts of all
//! structs. A test reads every file and finds a missing or an empty text, and one with other placeholders.

#[cfg(any(feature = "pages", feature = "oauth"))]
mod access;
#[cfg(feature = "pages")]
mod deleted;
#[cfg(feature = "pages")]
mod feeds;
#[cfg(feature = "pages")]
mod keys;
mod layout;
#[cfg(feature = "oauth")]
mod oauth;
#[cfg(feature = "pages")]
mod problem;
#[cfg(feature = "pages")]
mod shared;

use std::sync::LazyLock;

use serde::Deserialize;

#[cfg(any(feature = "pages", feature = "oauth"))]
pub(crate) use access::{AccessText, sentence};
#[cfg(feature = "pages")]
pub(crate) use deleted::DeletedText;
#[cfg(feature = "pages")]
pub(crate) use feeds::{CreateFeedText, FeedsText};
#[cfg(feature = "pages")]
pub(crate) use keys::{CreateText, KeysText, ZoneText};
pub(crate) use layout::{ErrorsText, LayoutText, Message};
#[cfg(feature = "oauth")]
pub(crate) use oauth::{ConsentText, OAuthErrorText, OAuthText};
#[cfg(feature = "pages")]
pub(crate) use problem::ProblemsText;
#[cfg(feature = "pages")]
pub(crate) use shared::SharedText;

use super::language::Language;

/// The files of the languages.
const ENGLISH: &str = include_str!("en.json");
const UKRAINIAN: &str = include_str!("uk.json");
const SPANISH: &str = include_str!("es.json");
const GERMAN: &str = include_str!("de.json");

/// All texts of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Text {
    pub(crate) layout: LayoutText,
    #[cfg(any(feature = "pages", feature = "oauth"))]
    pub(crate) access: AccessText,
    #[cfg(feature = "pages")]
    pub(crate) shared: SharedText,
    #[cfg(feature = "pages")]
    pub(crate) keys: KeysText,
    #[cfg(feature = "pages")]
    pub(crate) deleted: DeletedText,
    #[cfg(feature = "oauth")]
    pub(crate) oauth: OAuthText,
}

impl Text {
    /// Returns the texts of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static TEXTS: LazyLock<[Text; 4]> =
            LazyLock::new(|| [ENGLISH, UKRAINIAN, SPANISH, GERMAN].map(read_or_english));

        let [english, ukrainian, spanish, german] = &*TEXTS;

        match language {
            Language::English => english,
            Language::Ukrainian => ukrainian,
            Language::Spanish => spanish,
            Language::German => german,
        }
    }
}

/// Reads a file of texts, or the English one if it is invalid.
fn read_or_english(file: &'static str) -> Text {
    read(file).or_else(|_| read(ENGLISH)).unwrap_or_default()
}

/// Reads a file of texts. It never fails for the files of this crate.
fn read(file: &'static str) -> serde_json::Result<Text> {
    serde_json::from_str(file)
}

#[cfg(test)]
mod tests {
    use family_api_core::resource::RecordKind;
    use serde_json::Value;

    use super::*;

    /// Collects the paths of the texts of a file with their placeholders, and fails for an empty text.
    fn paths(value: &Value, path: &str) -> Vec<String> {
        match value {
            Value::Object(members) => {
                members.iter().flat_map(|(name, member)| paths(member, &format!("{path}/{name}"))).collect()
            }
            Value::String(text) if !text.trim().is_empty() => {
                let mut placeholders: Vec<_> = text.split('{').skip(1).map(|rest| rest.split('}').next()).collect();
                placeholders.sort_unstable();
                vec![format!("{path} {placeholders:?}")]
            }
            _ => panic!("{path} is not a text: {value}"),
        }
    }

    #[test]
    fn every_language_has_exactly_the_same_texts() {
        let expected = paths(&serde_json::from_str(ENGLISH).expect("JSON"), "");

        for file in [ENGLISH, UKRAINIAN, SPANISH, GERMAN] {
            read(file).expect("every struct finds its texts");
            assert_eq!(paths(&serde_json::from_str(file).expect("JSON"), ""), expected);
        }
    }
    #[test]
    fn every_kind_of_record_has_a_plural() {
        let Value::Object(words) = serde_json::from_str::<Value>(ENGLISH).expect("JSON")["access"]["records"].take()
        else {
            panic!("the plurals are an object");
        };

        for kind in RecordKind::ALL {
            assert!(words.contains_key(kind.as_str()), "{kind:?}");
        }
        assert_eq!(words.len(), RecordKind::ALL.len());
    }
}

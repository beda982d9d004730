//! The texts of the pages that only this server has. Each language is one file.

use std::sync::LazyLock;

use family_api_salvo::html::Language;
use serde::Deserialize;

const ENGLISH: &str = include_str!("en.json");
const UKRAINIAN: &str = include_str!("uk.json");
const SPANISH: &str = include_str!("es.json");
const GERMAN: &str = include_str!("de.json");

/// All texts of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"), deny_unknown_fields)]
pub(super) struct Text {
    pub(super) home: HomeText,
    pub(super) sign_in: SignInText,
    pub(super) unknown_path: UnknownPathText,
}

/// The texts of the page at `/`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HomeText {
    pub(super) title: &'static str,
    pub(super) explanation: &'static str,
    /// The name of the page of keys and connections.
    pub(super) keys: &'static str,
    /// The name of the page of deleted records.
    pub(super) deleted: &'static str,
    pub(super) sign_in: &'static str,
    /// Precedes the name of the user.
    pub(super) signed_in_as: &'static str,
    pub(super) sign_out: &'static str,
    pub(super) connect: &'static str,
    /// How to connect without a key. The address follows the second step.
    pub(super) steps: [&'static str; 3],
    /// How to connect with a key. A link to the keys follows.
    pub(super) needs_key: &'static str,
    /// The title of the part for programmers.
    pub(super) programs: &'static str,
    pub(super) endpoints: &'static str,
    pub(super) full_endpoint: &'static str,
    pub(super) read_endpoint: &'static str,
    pub(super) secret: &'static str,
    pub(super) check: &'static str,
    pub(super) check_explanation: &'static str,
    pub(super) documentation: &'static str,
    pub(super) openapi: &'static str,
}

/// The texts of the sign-in and sign-out pages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignInText {
    pub(super) sign_in: &'static str,
    pub(super) explanation: &'static str,
    pub(super) email: &'static str,
    pub(super) password: &'static str,
    pub(super) wrong: &'static str,
    /// The request seems to come from another site.
    pub(super) cross_site: &'static str,
    /// `{seconds}` is the time to wait.
    pub(super) too_many: &'static str,
    pub(super) incomplete: &'static str,
    /// The body is not the form of this page.
    pub(super) malformed: &'static str,
    pub(super) failed: &'static str,
    pub(super) sign_out: &'static str,
    pub(super) sign_out_effect: &'static str,
    pub(super) cancel: &'static str,
    pub(super) signed_out: &'static str,
    pub(super) signed_out_effect: &'static str,
}

/// The texts of the page at a path that does not exist.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnknownPathText {
    pub(super) title: &'static str,
    /// The link to the home page.
    pub(super) home: &'static str,
}

impl Text {
    /// Returns the texts of a language.
    pub(super) fn of(language: Language) -> &'static Self {
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

/// Reads a file of texts. It never fails for the files of this server.
fn read(file: &'static str) -> serde_json::Result<Text> {
    serde_json::from_str(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text() {
        for file in [ENGLISH, UKRAINIAN, SPANISH, GERMAN] {
            read(file).unwrap();
            assert!(!file.contains("\"\"") && file.matches("{seconds}").count() == 1, "{file}");
            assert_eq!(file.matches("fam_…").count(), 1, "{file}");
        }
    }
}

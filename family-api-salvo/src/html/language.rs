//! The language of a page.

use salvo::Request;
use salvo::http::header::ACCEPT_LANGUAGE;

/// The query parameter that selects a language. It takes precedence over the cookie and the browser's languages.
pub(super) const PARAMETER: &str = "lang";

/// The cookie that keeps the selected language.
const COOKIE: &str = "family_language";

/// The number of entries of `Accept-Language` that are considered.
const MAX_ENTRIES: usize = 20;

/// Returns the cookie that keeps a selected language for a year.
pub(super) fn cookie(language: Language) -> String {
    format!("{COOKIE}={}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax", language.tag())
}

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Ukrainian.
    Ukrainian,
    /// Spanish.
    Spanish,
    /// German.
    German,
}

impl Language {
    /// All languages, in the order in which the pages list them.
    pub const ALL: [Self; 4] = [Self::English, Self::Ukrainian, Self::Spanish, Self::German];

    /// Returns the language tag (BCP 47), such as `en`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Ukrainian => "uk",
            Self::Spanish => "es",
            Self::German => "de",
        }
    }

    /// Returns the name of the language in the language itself.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Ukrainian => "Українська",
            Self::Spanish => "Español",
            Self::German => "Deutsch",
        }
    }

    /// Returns the language of a request: the parameter `lang`, the cookie, or the best of `Accept-Language`.
    ///
    /// Default: English.
    #[must_use]
    pub fn of(req: &Request) -> Self {
        let kept = || req.cookie(COOKIE).and_then(|cookie| Self::from_tag(cookie.value()));
        let accepted = || Self::from_accept_language(req.headers().get(ACCEPT_LANGUAGE)?.to_str().ok()?);
        Self::requested(req).or_else(kept).or_else(accepted).unwrap_or_default()
    }

    /// Returns the language that the query selects.
    pub(super) fn requested(req: &Request) -> Option<Self> {
        let query = req.uri().query()?;
        let (_, tag) = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == PARAMETER)?;
        Self::from_tag(&tag)
    }

    /// Returns the language with this tag. Only the first subtag counts, so `de-AT` is German.
    fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?;
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// Returns the language with the highest weight (RFC 9110, section 12.5.4).
    fn from_accept_language(header: &str) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for entry in header.split(',').take(MAX_ENTRIES) {
            let (tag, parameters) = entry.split_once(';').unwrap_or((entry, ""));
            let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
            if let Some(language) = Self::from_tag(tag.trim())
                && weight > best.map_or(0.0, |(weight, _)| weight)
            {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_language_selects_the_highest_weight() {
        for (header, expected) in [
            ("uk", Some(Language::Ukrainian)),
            ("de-AT,de;q=0.9,en;q=0.8", Some(Language::German)),
            ("fr, es;q=0.4, en;q=0.7", Some(Language::English)),
            ("en;q=0.5, ES ; q=0.5", Some(Language::English)),
            ("en;q=0, es;q=0.1", Some(Language::Spanish)),
            ("en;q=x, de;q=0.1", Some(Language::German)),
            ("fr, *;q=0.5", None),
            ("ukulele", None),
            ("", None),
        ] {
            assert_eq!(Language::from_accept_language(header), expected, "{header}");
        }
    }

    #[test]
    fn every_language_is_found_by_its_tag() {
        for language in Language::ALL {
            assert_eq!(Language::from_tag(language.tag()), Some(language));
        }
    }
}

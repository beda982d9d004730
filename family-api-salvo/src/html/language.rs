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

    /// Returns the tag of the language with the region that the browser prefers, such as `en-GB`. Dates follow it.
    pub(super) fn regional_tag(self, req: &Request) -> String {
        let accepted = req.headers().get(ACCEPT_LANGUAGE).and_then(|header| header.to_str().ok());
        let region = accepted.and_then(|header| self.region_in(header));
        region.map_or_else(|| self.tag().to_owned(), |region| format!("{}-{region}", self.tag()))
    }

    /// Returns the region of the entry for this language with the highest weight. Entries without a region do not
    /// count.
    fn region_in(self, header: &str) -> Option<String> {
        let own = entries(header).filter(|(tag, _)| Self::from_tag(tag) == Some(self));
        let regions = own.filter_map(|(tag, weight)| Some((region_of(tag)?, weight)));
        Some(regions.reduce(heavier)?.0.to_ascii_uppercase())
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
        let known = entries(header).filter(|(tag, weight)| *weight > 0.0 && Self::from_tag(tag).is_some());
        Self::from_tag(known.reduce(heavier)?.0)
    }
}

/// Returns the tags of `Accept-Language` with their weights. The weight of an invalid number is 0.
fn entries(header: &str) -> impl Iterator<Item = (&str, f32)> {
    header.split(',').take(MAX_ENTRIES).map(|entry| {
        let (tag, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        (tag.trim(), weight)
    })
}

/// Returns the entry with the higher weight, or else the first.
fn heavier<'h>(first: (&'h str, f32), second: (&'h str, f32)) -> (&'h str, f32) {
    if second.1 > first.1 { second } else { first }
}

/// Returns the region in a language tag (BCP 47): a subtag of two letters or three digits after the first.
fn region_of(tag: &str) -> Option<&str> {
    tag.split('-').skip(1).find(|subtag| match subtag.len() {
        2 => subtag.bytes().all(|byte| byte.is_ascii_alphabetic()),
        3 => subtag.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    })
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
    fn the_region_comes_from_the_browser() {
        for (language, header, expected) in [
            (Language::English, "en-GB,en;q=0.9,en-US;q=0.8", Some("GB")),
            (Language::English, "de-AT, en;q=0.5, en-us;q=0.7", Some("US")),
            (Language::German, "de-at", Some("AT")),
            (Language::Spanish, "es-419", Some("419")),
            (Language::Ukrainian, "uk-Cyrl-UA", Some("UA")),
            (Language::English, "en, en-GB;q=0.9", Some("GB")),
            (Language::English, "en", None),
            (Language::English, "de-DE", None),
            (Language::English, "en-\"><b>", None),
        ] {
            assert_eq!(language.region_in(header).as_deref(), expected, "{header}");
        }
    }

    #[test]
    fn every_language_is_found_by_its_tag() {
        for language in Language::ALL {
            assert_eq!(Language::from_tag(language.tag()), Some(language));
        }
    }
}

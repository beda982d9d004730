//! Where the API is, and whether a secret may travel there.

use std::net::IpAddr;

use reqwest::Url;

use crate::Error;

/// Whether a secret may travel unencrypted beyond this machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PlainHttp {
    /// To this machine only.
    #[default]
    ToLoopback,
    /// Anywhere.
    Anywhere,
}

/// What comes before the paths of the API.
#[derive(Debug, Clone)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    pub(crate) fn parse(text: &str, plain_http: PlainHttp) -> Result<Self, Error> {
        let url: Url = text.parse().map_err(|_| Error::configuration("the base URL is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Error::configuration("the base URL begins with neither http:// nor https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Error::configuration("the base URL holds a user or a password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(Error::configuration("the base URL holds a query or a fragment"));
        }
        let base = Self(url);
        if base.is_encrypted() || base.is_loopback() || plain_http == PlainHttp::Anywhere {
            return Ok(base);
        }
        Err(Error::configuration("plain http to another machine must be allowed (`allow_plain_http`)"))
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the name itself says that it is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
    }

    pub(crate) fn host(&self) -> Option<&str> {
        self.0.host_str()
    }

    /// The URL of a path of the API; `Url::join` would drop what the base has behind its host.
    pub(crate) fn at(&self, path: &str, query: &[(&str, String)]) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.trim_start_matches('/').split('/'));
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_added_to_the_base_whatever_that_ends_with() {
        for (base, url) in [
            ("http://localhost:1", "http://localhost:1/api/v1/me?from=2026-11-20"),
            ("http://localhost:1/", "http://localhost:1/api/v1/me?from=2026-11-20"),
            ("https://h/family", "https://h/family/api/v1/me?from=2026-11-20"),
            ("https://h/family/", "https://h/family/api/v1/me?from=2026-11-20"),
        ] {
            let base = BaseUrl::parse(base, PlainHttp::ToLoopback).unwrap();
            assert_eq!(base.at("/api/v1/me", &[("from", "2026-11-20".to_owned())]).as_str(), url);
            assert_eq!(base.at("/x", &[]).query(), None);
        }
    }

    #[test]
    fn plain_http_leads_to_this_machine_only_unless_it_is_allowed() {
        for here in ["http://localhost", "http://127.0.0.1:8080", "http://127.8.9.1", "http://[::1]:1", "https://h"] {
            assert!(BaseUrl::parse(here, PlainHttp::ToLoopback).is_ok(), "{here}");
        }
        assert!(BaseUrl::parse("http://[::ffff:127.0.0.1]", PlainHttp::ToLoopback).is_ok());
        for elsewhere in ["http://h", "http://10.0.0.1", "http://localhost.example", "http://[2001:db8::1]"] {
            assert!(BaseUrl::parse(elsewhere, PlainHttp::ToLoopback).is_err(), "{elsewhere}");
            assert!(BaseUrl::parse(elsewhere, PlainHttp::Anywhere).is_ok(), "{elsewhere}");
        }
    }

    #[test]
    fn what_is_no_base_is_refused_and_not_quoted() {
        for bad in [
            "",
            "h:1",
            "canary",
            "ftp://h",
            "https://canary:x@h",
            "https://canary@h",
            "http://",
            "https://h?canary",
            "https://h/#canary",
        ] {
            let error = BaseUrl::parse(bad, PlainHttp::Anywhere).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
        }
    }
}

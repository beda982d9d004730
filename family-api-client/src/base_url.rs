//! The base URL, and whether a secret may be sent to it.

use std::net::IpAddr;

use reqwest::Url;

use crate::Error;

/// The hosts to which secrets may be sent over plain HTTP.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PlainHttp {
    /// This machine only.
    #[default]
    LoopbackOnly,
    /// Any host.
    AnyHost,
}

/// The part of every URL before the API's paths, such as `https://family.example`.
#[derive(Debug, Clone)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    pub(crate) fn parse(text: &str, plain_http: PlainHttp) -> Result<Self, Error> {
        let url: Url = text.parse().map_err(|_| Error::configuration("the base URL is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Error::configuration("the base URL must begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Error::configuration("the base URL must not contain a user name or a password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(Error::configuration("the base URL must not contain a query or a fragment"));
        }
        let base = Self(url);
        if base.is_encrypted() || base.is_loopback() || plain_http == PlainHttp::AnyHost {
            return Ok(base);
        }
        Err(Error::configuration("plain http to another machine is not allowed (see `allow_plain_http`)"))
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns whether the host is `localhost` or a loopback address. Does not resolve names.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
    }

    pub(crate) fn host(&self) -> Option<&str> {
        self.0.host_str()
    }

    /// Appends a path and a query to the base URL. `Url::join` would drop the path of the base URL.
    pub(crate) fn join(&self, path: &str, query: &[(&str, String)]) -> Url {
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
    fn a_path_is_appended_after_exactly_one_slash() {
        for (base, url) in [
            ("http://localhost:1", "http://localhost:1/api/v1/me?from=2026-11-20"),
            ("http://localhost:1/", "http://localhost:1/api/v1/me?from=2026-11-20"),
            ("https://h/family", "https://h/family/api/v1/me?from=2026-11-20"),
            ("https://h/family/", "https://h/family/api/v1/me?from=2026-11-20"),
        ] {
            let base = BaseUrl::parse(base, PlainHttp::LoopbackOnly).unwrap();
            assert_eq!(base.join("/api/v1/me", &[("from", "2026-11-20".to_owned())]).as_str(), url);
            assert_eq!(base.join("/x", &[]).query(), None);
        }
    }

    #[test]
    fn plain_http_is_limited_to_loopback_unless_allowed() {
        for loopback in ["http://localhost", "http://127.0.0.1:8080", "http://127.8.9.1", "http://[::1]:1", "https://h"]
        {
            assert!(BaseUrl::parse(loopback, PlainHttp::LoopbackOnly).is_ok(), "{loopback}");
        }
        assert!(BaseUrl::parse("http://[::ffff:127.0.0.1]", PlainHttp::LoopbackOnly).is_ok());
        for remote in ["http://h", "http://10.0.0.1", "http://localhost.example", "http://[2001:db8::1]"] {
            assert!(BaseUrl::parse(remote, PlainHttp::LoopbackOnly).is_err(), "{remote}");
            assert!(BaseUrl::parse(remote, PlainHttp::AnyHost).is_ok(), "{remote}");
        }
    }

    #[test]
    fn an_invalid_base_url_is_refused_and_not_quoted() {
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
            let error = BaseUrl::parse(bad, PlainHttp::AnyHost).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
        }
    }
}

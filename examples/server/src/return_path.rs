//! The page to which a user returns after the sign-in.

use std::fmt;

use family_api_core::paths;
use salvo::Request;

/// The query parameter with the path.
pub(crate) const PARAMETER: &str = "next";

/// The maximum length of a path with its query, in bytes. An authorization request of OAuth has up to some kilobytes.
const MAX_LENGTH: usize = 8 * 1024;

/// A path of this server, with an optional query. A redirect to it cannot leave the origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnPath(String);

impl ReturnPath {
    /// Parses a path, such as `/keys?name=Grafana`. Returns `None` if it could lead to another origin.
    ///
    /// Browsers resolve `//host`, `/\host` and `/<tab>/host` to another host. So a path starts with exactly one slash,
    /// and consists of visible ASCII characters without a backslash. Its segments are neither empty nor dots, and they
    /// are not percent-encoded, because a proxy could decode a slash.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let is_segment = |segment: &str| {
            !matches!(segment, "" | "." | "..")
                && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
        };
        let segments = path.strip_prefix('/')?;
        let is_path = segments.is_empty() || segments.split('/').all(is_segment);
        let is_query = query.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\#".contains(&byte));
        (text.len() <= MAX_LENGTH && is_path && is_query).then(|| Self(text.to_owned()))
    }

    /// Returns the path that the query of a request names, if it is valid and named once. The paths of the
    /// sign-in and the sign-out are invalid.
    pub(crate) fn of(req: &Request) -> Option<Self> {
        let mut named = form_urlencoded::parse(req.uri().query()?.as_bytes()).filter(|(name, _)| name == PARAMETER);
        match (named.next(), named.next()) {
            (Some((_, path)), None) => Self::parse(&path).filter(|path| !path.is_sign_in()),
            _ => None,
        }
    }

    fn is_sign_in(&self) -> bool {
        let path = self.0.split('?').next();
        path.is_some_and(|path| [paths::LOGIN, paths::LOGOUT].contains(&path))
    }
}

impl fmt::Display for ReturnPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_own_origin_are_accepted() {
        for path in
            ["/", "/keys", "/keys?name=Home%20Assistant&mode=mcp_read", "/?a=b", "/oauth/authorize?a=https://b/c?d"]
        {
            assert_eq!(ReturnPath::parse(path).map(|path| path.to_string()).as_deref(), Some(path));
        }
    }

    #[test]
    fn anything_that_could_leave_the_origin_is_refused() {
        for path in [
            "",
            "keys",
            "?a",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/keys\\..",
            "https:evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "data:text/html,x",
            "/%2fevil.example",
            "/%2Fevil.example",
            "/%5cevil.example",
            "/.//evil.example",
            "/..//evil.example",
            "/./keys",
            "/keys//",
            "/keys/",
            "/\t/evil.example",
            "/\n/evil.example",
            "/keys\r\nSet-Cookie: a=b",
            "/keys?a=b\r\nSet-Cookie: a=b",
            "/keys?a\\b",
            "/keys#fragment",
            "/keys?a#fragment",
            "/keys?a b",
            " /keys",
            "/keys ",
            "/kéys",
            "/keys?é",
            "/@evil.example",
            "/keys\0",
            "/\u{2028}/evil.example",
        ] {
            assert_eq!(ReturnPath::parse(path), None, "{path:?}");
        }
        assert_eq!(ReturnPath::parse(&format!("/{}", "a".repeat(MAX_LENGTH))), None);
    }
}

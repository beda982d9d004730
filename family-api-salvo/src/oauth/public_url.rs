//! The URL under which clients reach the API.

use std::fmt;
use std::str::FromStr;

use family_api_core::{Surface, paths};

use crate::Origin;

/// The URL under which clients reach the API: the origin of the service, and the path prefix below which an app mounts
/// the API. It is also the issuer that identifies the authorization server of this crate (RFC 8414, section 2).
///
/// ```
/// use family_api_salvo::PublicUrl;
///
/// let url: PublicUrl = "https://home.example/family".parse()?;
/// assert_eq!(url.to_string(), "https://home.example/family");
/// # Ok::<(), family_api_salvo::InvalidPublicUrl>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: Origin,
    /// Empty, or a slash followed by segments without a trailing slash.
    path: String,
}

/// The text is not the public URL of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a URL such as https://family.example or https://family.example/prefix, \
     with https unless the host is localhost or a loopback address"
)]
pub struct InvalidPublicUrl;

impl PublicUrl {
    /// Returns the origin of the URL.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the path prefix: empty, or a path such as `/family`.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the URL of a path of the API.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{self}{path}")
    }

    /// Returns the URL of a surface's MCP endpoint, which is the resource of its tokens (RFC 8707).
    pub(crate) fn resource(&self, surface: Surface) -> String {
        self.url(paths::mcp(surface))
    }

    /// Returns the surface whose resource this is. Only the case of the scheme and the host may differ.
    pub(crate) fn surface_of(&self, resource: &str) -> Option<Surface> {
        let (origin, path) = split_origin(resource)?;
        let path = path.strip_prefix(&self.path).filter(|_| origin == self.origin)?;
        Surface::ALL.into_iter().find(|surface| paths::mcp(*surface) == path)
    }
}

/// An origin must use `https`, unless it is loopback.
impl TryFrom<Origin> for PublicUrl {
    type Error = InvalidPublicUrl;

    fn try_from(origin: Origin) -> Result<Self, InvalidPublicUrl> {
        let is_safe = origin.is_https() || origin.is_loopback();
        is_safe.then(|| Self { origin, path: String::new() }).ok_or(InvalidPublicUrl)
    }
}

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        let (origin, path) = split_origin(text).ok_or(InvalidPublicUrl)?;
        let path = path.strip_suffix('/').unwrap_or(path);
        if !path.split('/').skip(1).all(is_segment) {
            return Err(InvalidPublicUrl);
        }
        Ok(Self { path: path.to_owned(), ..Self::try_from(origin)? })
    }
}

/// Splits a URL after its origin. The path is empty or begins with a slash.
fn split_origin(url: &str) -> Option<(Origin, &str)> {
    let authority = url.find("://")? + 3;
    let (origin, path) = match url[authority..].find('/') {
        Some(slash) => url.split_at(authority + slash),
        None => (url, ""),
    };
    Some((origin.parse().ok()?, path))
}

/// Returns whether a text is one segment of a path, with characters that need no percent-encoding.
fn is_segment(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    !text.is_empty() && text != "." && text != ".." && text.bytes().all(is_allowed)
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_url_is_an_origin_with_an_optional_path() {
        for (text, normalized) in [
            ("https://family.example", "https://family.example"),
            ("https://Family.Example:443/", "https://family.example"),
            ("https://family.example/a/b_c/", "https://family.example/a/b_c"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://[::1]:8080/family", "http://[::1]:8080/family"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().map(|url| url.to_string()).as_deref(), Ok(normalized));
        }
    }

    #[test]
    fn other_texts_are_no_public_url() {
        for text in [
            "",
            "family.example",
            "http://family.example",
            "http://192.168.1.2",
            "https://",
            "https:///a",
            "https://family.example//",
            "https://family.example/a//b",
            "https://family.example/./a",
            "https://family.example/a/..",
            "https://family.example?a",
            "https://family.example/a?b",
            "https://family.example/#a",
            "https://family.example/%41",
            "https://user@family.example",
            "https://family.example/a b",
        ] {
            assert_eq!(text.parse::<PublicUrl>(), Err(InvalidPublicUrl), "{text:?}");
        }
    }

    #[test]
    fn resource_is_exactly_the_url_of_an_endpoint() {
        let url: PublicUrl = "https://home.example/family".parse().unwrap();
        assert_eq!(url.resource(Surface::V1), "https://home.example/family/api/v1/mcp");
        assert_eq!(url.surface_of("https://home.example/family/api/mcp"), Some(Surface::ReadPath));
        let upper_case = "HTTPS://Home.Example/family/api/v1/mcp";
        assert_eq!(url.surface_of(upper_case), Some(Surface::V1), "the case of scheme and host does not matter");
        assert_eq!(url.surface_of("https://home.example/Family/api/v1/mcp"), None);
        for other in ["https://home.example/api/mcp", "https://home.example/family/api/mcp/", "/api/mcp", ""] {
            assert_eq!(url.surface_of(other), None, "{other}");
        }
    }
}

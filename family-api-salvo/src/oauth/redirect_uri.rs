//! The addresses to which a browser returns with an authorization code.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// Maximum length of a redirect URI, in bytes.
const MAX_LENGTH: usize = 512;

/// A redirect URI of a public client.
///
/// Its form is `https://host/…`, `http://` on a loopback host, or a scheme of an installed app (RFC 8252, section 7).
/// The text is kept exactly as the client sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RedirectUri {
    text: String,
    url: Url,
}

/// The schemes without a dot that code editors own. They register for `cursor://anysphere.cursor-mcp/oauth/callback`
/// and the like.
const EDITOR_SCHEMES: [&str; 5] = ["cursor", "vscode", "vscode-insiders", "windsurf", "zed"];

/// The text is not a redirect URI that a client may use. Contains the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InvalidRedirectUri(&'static str);

impl InvalidRedirectUri {
    const LENGTH: Self = Self("expected at most 512 bytes");
    const SYNTAX: Self = Self("expected an absolute URI without fragment and without user information");
    const SCHEME: Self =
        Self("expected https, http on a loopback host, or a scheme of an installed app such as com.example.app");
}

impl RedirectUri {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host in lower case, or the scheme of an installed app, such as `com.example.app:`.
    pub(crate) fn host(&self) -> String {
        match self.url.host() {
            Some(host) if self.is_web() => host.to_string(),
            _ => format!("{}:", self.url.scheme()),
        }
    }

    /// Returns whether the address is on the device of the browser.
    pub(crate) fn is_loopback(&self) -> bool {
        self.is_web() && self.url.host().is_some_and(|host| is_loopback(&host))
    }

    /// Returns the address with parameters added to its query.
    pub(crate) fn with_parameters<'a>(&self, parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        let separator = if self.text.contains('?') { '&' } else { '?' };
        format!("{}{separator}{query}", self.text)
    }

    /// Returns whether a client that registered this address may use `other`. A loopback address may have any port
    /// (RFC 8252, section 7.3).
    pub(crate) fn allows(&self, other: &Self) -> bool {
        self.without_port() == other.without_port()
    }

    /// Returns whether the address has a host. Otherwise, it belongs to an installed app.
    pub(crate) fn is_web(&self) -> bool {
        matches!(self.url.scheme(), "http" | "https")
    }

    /// Returns the parts of the text before and after the port of an `http` address, which is always loopback. Any
    /// other address is split at the same place, but keeps its port.
    fn without_port(&self) -> (&str, &str) {
        let start = self.text.find("//").map_or(0, |slashes| slashes + 2);
        let end = self.text[start..].find(['/', '?']).map_or(self.text.len(), |length| start + length);
        let (authority, rest) = self.text.split_at(end);
        match authority.rsplit_once(':') {
            Some((host, port)) if self.url.scheme() == "http" && port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (host, rest)
            }
            _ => (authority, rest),
        }
    }
}

impl FromStr for RedirectUri {
    type Err = InvalidRedirectUri;

    fn from_str(text: &str) -> Result<Self, InvalidRedirectUri> {
        if text.len() > MAX_LENGTH {
            return Err(InvalidRedirectUri::LENGTH);
        }
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}#".contains(&byte));
        let url = Url::parse(text).ok().filter(|_| is_plain).ok_or(InvalidRedirectUri::SYNTAX)?;
        if has_user(text) {
            return Err(InvalidRedirectUri::SYNTAX);
        }
        let is_allowed = match url.scheme() {
            "https" => has_authority(text) && url.host().is_some(),
            "http" => has_authority(text) && url.host().is_some_and(|host| is_loopback(&host)),
            scheme => is_app_scheme(scheme),
        };
        if is_allowed { Ok(Self { text: text.to_owned(), url }) } else { Err(InvalidRedirectUri::SCHEME) }
    }
}

/// Returns whether the text spells the authority with two slashes. `Url` also accepts `https:host`.
fn has_authority(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//") && !rest.starts_with("///"))
}

fn is_loopback<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Domain(name) => name.as_ref() == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

/// Returns whether the authority contains user information, even if it is empty.
fn has_user(text: &str) -> bool {
    let authority = text.split_once("//").map_or("", |(_, rest)| rest);
    authority.split(['/', '?']).next().is_some_and(|authority| authority.contains('@'))
}

/// Returns whether an installed app may own this scheme: an editor's, or a reversed domain name (RFC 8252, sections 7.1
/// and 8.4). No scheme that a browser handles itself, such as `javascript`, has a dot.
fn is_app_scheme(scheme: &str) -> bool {
    EDITOR_SCHEMES.contains(&scheme) || is_reversed_domain(scheme)
}

/// Returns whether a scheme begins with a top-level domain and has further labels. `x-apple.…` and `ms-….…`, which open
/// parts of an operating system, do not. `com.apple.…` opens Apple's own apps.
fn is_reversed_domain(scheme: &str) -> bool {
    let is_label = |label: &str| label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    scheme.split_once('.').is_some_and(|(top, rest)| {
        let is_top = top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_lowercase());
        is_top && rest.split('.').all(|label| !label.is_empty() && is_label(label)) && !scheme.starts_with("com.apple.")
    })
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> RedirectUri {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn web_loopback_and_app_addresses_are_accepted() {
        for (text, host, is_loopback) in [
            ("https://client.example/callback", "client.example", false),
            ("https://Client.Example:8443/callback?a=b", "client.example", false),
            ("http://127.0.0.1:33418/", "127.0.0.1", true),
            ("http://127.0.0.1", "127.0.0.1", true),
            ("http://[::1]:3000/callback", "[::1]", true),
            ("http://localhost/callback", "localhost", true),
            ("com.example.app:/callback", "com.example.app:", false),
            ("com.example.app://oauth/callback", "com.example.app:", false),
            ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:", false),
            ("vscode://vscode.git/callback", "vscode:", false),
            ("io.github.app-1:/callback", "io.github.app-1:", false),
            ("https://127.0.0.1/callback", "127.0.0.1", true),
            ("https://localhost:8443/callback", "localhost", true),
            ("https://0x7f.1/callback", "127.0.0.1", true),
        ] {
            let uri = parse(text);
            assert_eq!((uri.as_str(), uri.host().as_str()), (text, host));
            assert_eq!(uri.is_loopback(), is_loopback, "{text}");
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        let long = format!("https://client.example/{}", "a".repeat(490));
        for text in [
            "",
            "/callback",
            "//client.example/callback",
            "client.example/callback",
            "http://client.example/callback",
            "http://192.168.1.2/callback",
            "http://0.0.0.0/callback",
            "http://127.0.0.1.evil.example/callback",
            "http://localhost.evil.example/callback",
            "https:client.example/callback",
            "https:/client.example/callback",
            "https:///client.example/callback",
            "https://",
            "https://client.example/#fragment",
            "https://client.example/#",
            "https://user@client.example/",
            "https://user:password@client.example/",
            "https://@client.example/",
            "https://client.example\\@evil.example/",
            "https://client.example/a b",
            "https://client.example/\u{202e}",
            "https://client.example/\r\nSet-Cookie:a=b",
            "https://client.example/\"><script>",
            "https://client.example:99999/",
            "javascript:alert(1)",
            "JavaScript://client.example/%0aalert(1)",
            "data:text/html,hello",
            "file:///etc/passwd",
            "blob:https://client.example/1",
            "about:blank",
            "vbscript:x",
            "intent://client.example",
            "ws://127.0.0.1/",
            "ftp://client.example/",
            "app:/callback",
            "x-apple.systempreferences:com.apple.preference",
            "com.apple.systempreferences:x",
            "ms-settings.x:y",
            "a.b:/callback",
            "com.:/callback",
            "com..app:/callback",
            "com.a+b:/callback",
            &long,
        ] {
            assert!(text.parse::<RedirectUri>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn only_the_port_of_a_loopback_address_may_differ() {
        for (registered, requested, is_allowed) in [
            ("https://client.example/callback", "https://client.example/callback", true),
            ("https://client.example/callback", "https://client.example/callback/", false),
            ("https://client.example/callback", "https://client.example/callback?a=b", false),
            ("https://client.example/callback", "https://client.example/Callback", false),
            ("https://client.example/callback", "https://CLIENT.example/callback", false),
            ("https://client.example/callback", "https://client.example:443/callback", false),
            ("https://client.example/callback", "https://client.example:8443/callback", false),
            ("https://client.example/callback", "https://evil.example/callback", false),
            ("https://client.example/callback", "https://client.example/a/../callback", false),
            ("https://client.example", "https://client.example/", false),
            ("http://127.0.0.1/callback", "http://127.0.0.1:33418/callback", true),
            ("http://127.0.0.1:1/callback?a=b", "http://127.0.0.1:2/callback?a=b", true),
            ("http://127.0.0.1:1", "http://127.0.0.1:2", true),
            ("http://127.0.0.1/callback", "http://127.0.0.1:80/callback", true),
            ("http://127.0.0.1:1?a", "http://127.0.0.1:2?a", true),
            ("http://[::1]/callback", "http://[::1]:5000/callback", true),
            ("http://localhost:1/callback", "http://localhost:2/callback", true),
            ("http://localhost/callback", "http://127.0.0.1/callback", false),
            ("http://127.0.0.1/callback", "http://127.0.0.1:2/other", false),
            ("http://127.0.0.1/callback", "http://127.0.0.1:2/callback?a=b", false),
            ("http://127.0.0.1/callback", "http://127.0.0.1/a/../callback", false),
            ("http://127.0.0.1/callback", "https://127.0.0.1/callback", false),
            ("com.example.app:/callback", "com.example.app:/callback", true),
            ("com.example.app://a:1/callback", "com.example.app://a:2/callback", false),
        ] {
            assert_eq!(parse(registered).allows(&parse(requested)), is_allowed, "{registered} {requested}");
        }
    }

    #[test]
    fn parameters_are_added_to_the_query() {
        let add = |text: &str| parse(text).with_parameters([("code", "a b"), ("state", "é&")]);
        assert_eq!(add("https://client.example/c"), "https://client.example/c?code=a+b&state=%C3%A9%26");
        assert_eq!(add("https://client.example/c?d=e"), "https://client.example/c?d=e&code=a+b&state=%C3%A9%26");
        assert_eq!(add("com.example.app:/c"), "com.example.app:/c?code=a+b&state=%C3%A9%26");
    }
}

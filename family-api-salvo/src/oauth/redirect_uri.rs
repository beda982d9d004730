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

/// The text is not a redirect URI that a client may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidRedirectUri;

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

    /// Returns whether the address is on the computer of the browser.
    pub(crate) fn is_loopback(&self) -> bool {
        self.url.scheme() == "http"
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
        if !self.is_loopback() || !other.is_loopback() {
            return self.text == other.text;
        }
        self.without_port() == other.without_port()
    }

    /// Returns whether the address has a host. Otherwise, it belongs to an installed app.
    pub(crate) fn is_web(&self) -> bool {
        matches!(self.url.scheme(), "http" | "https")
    }

    fn without_port(&self) -> Option<Url> {
        let mut url = self.url.clone();
        url.set_port(None).ok().map(|()| url)
    }
}

impl FromStr for RedirectUri {
    type Err = InvalidRedirectUri;

    fn from_str(text: &str) -> Result<Self, InvalidRedirectUri> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}#".contains(&byte));
        if text.len() > MAX_LENGTH || !is_plain {
            return Err(InvalidRedirectUri);
        }
        let url = Url::parse(text).map_err(|_| InvalidRedirectUri)?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        let is_allowed = match url.scheme() {
            "https" => has_authority(text) && url.host().is_some(),
            "http" => has_authority(text) && url.host().is_some_and(|host| is_loopback(&host)),
            scheme => is_app_scheme(scheme),
        };
        if has_user || !is_allowed { Err(InvalidRedirectUri) } else { Ok(Self { text: text.to_owned(), url }) }
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

/// Returns whether an installed app may own this scheme: one with a dot, as a reversed domain name has (RFC 8252,
/// section 7.1).
fn is_app_scheme(scheme: &str) -> bool {
    scheme.contains('.')
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

//! The URL of a metadata document, which is the id of its client.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// Maximum length of a URL, in bytes.
const MAX_LENGTH: usize = 512;

/// The `https` URL of a client's metadata document (draft-ietf-oauth-client-id-metadata-document, section 3).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DocumentUrl {
    text: String,
    host: String,
}

/// The text is not the URL of a metadata document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidDocumentUrl;

impl DocumentUrl {
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Returns what follows the host.
    pub(super) fn path_and_query(&self) -> &str {
        self.text.split_once(&self.host).map_or("/", |(_, rest)| rest)
    }
}

/// Accepts only the normalized spelling, so the URL has no dot segments, no default port and no characters that need
/// percent-encoding. The host must be a name with a dot, because the address check applies to resolved names. A port is
/// refused, so that clients cannot scan ports through this server.
impl FromStr for DocumentUrl {
    type Err = InvalidDocumentUrl;

    fn from_str(text: &str) -> Result<Self, InvalidDocumentUrl> {
        if text.len() > MAX_LENGTH {
            return Err(InvalidDocumentUrl);
        }
        let url = Url::parse(text).map_err(|_| InvalidDocumentUrl)?;
        let is_plain = url.scheme() == "https"
            && url.username().is_empty()
            && url.password().is_none()
            && url.port().is_none()
            && url.fragment().is_none()
            && url.path() != "/"
            && url.as_str() == text;
        match url.host() {
            Some(Host::Domain(host)) if is_plain && host.contains('.') && !host.ends_with('.') => {
                Ok(Self { host: host.to_owned(), text: text.to_owned() })
            }
            _ => Err(InvalidDocumentUrl),
        }
    }
}

impl fmt::Display for DocumentUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_https_with_a_host_name_and_a_path() {
        for text in [
            "https://client.example/metadata.json",
            "https://client.example/a/b?version=2",
            "https://xn--bcher-kva.example/oauth/client",
        ] {
            let url: DocumentUrl = text.parse().unwrap();
            assert_eq!(url.as_str(), text);
            assert_eq!(format!("https://{}{}", url.host(), url.path_and_query()), text);
        }
    }

    #[test]
    fn every_other_spelling_is_refused() {
        let long = format!("https://client.example/{}", "a".repeat(500));
        for text in [
            "",
            "client.example",
            "http://client.example/metadata.json",
            "HTTPS://client.example/metadata.json",
            "https://Client.example/metadata.json",
            "https:client.example/metadata.json",
            "https:///client.example/metadata.json",
            "https://client.example",
            "https://client.example/",
            "https://client.example:443/metadata.json",
            "https://client.example:8443/metadata.json",
            "https://client.example/a/../metadata.json",
            "https://client.example/./metadata.json",
            "https://client.example/%2e%2e/metadata.json",
            "https://client.example/metadata.json#fragment",
            "https://client.example/metadata.json#",
            "https://user@client.example/metadata.json",
            "https://:secret@client.example/metadata.json",
            "https://client.example/a b",
            "https://client.example\\metadata.json",
            "https://bücher.example/metadata.json",
            "https://client.example./metadata.json",
            "https://localhost/metadata.json",
            "https://metadata/computeMetadata/v1",
            "https://127.0.0.1/metadata.json",
            "https://2130706433/metadata.json",
            "https://[::1]/metadata.json",
            "https://[::ffff:169.254.169.254]/latest",
            " https://client.example/metadata.json",
            "https://client.example/metadata.json\n",
            &long,
        ] {
            assert_eq!(text.parse::<DocumentUrl>(), Err(InvalidDocumentUrl), "{text:?}");
        }
    }
}

//! The client of a grant, as the user saw it when approving.

use crate::grant::clean_name;

/// Maximum length of a client's id, in bytes.
const MAX_ID_BYTES: usize = 2_048;

/// Maximum length of a host, in bytes (RFC 1035).
const MAX_HOST_BYTES: usize = 255;

/// An OAuth client. The server does not vouch for its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthClient {
    id: String,
    name: Option<String>,
    host: String,
}

/// The id, the name or the host of a client is invalid. Contains the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidClient(&'static str);

impl OAuthClient {
    /// Creates a client from its id, its claimed name, and the host of its redirect address or metadata document.
    ///
    /// # Errors
    /// [`InvalidClient`] if the id is empty or longer than 2,048 bytes, the name is not as [`clean_name`] returns it, or
    /// the host is empty or longer than 255 bytes.
    pub fn new(id: String, name: Option<String>, host: String) -> Result<Self, InvalidClient> {
        if !(1..=MAX_ID_BYTES).contains(&id.len()) {
            return Err(InvalidClient("expected a client id of 1 to 2048 bytes"));
        }
        if !(1..=MAX_HOST_BYTES).contains(&host.len()) {
            return Err(InvalidClient("expected a host of 1 to 255 bytes"));
        }
        match &name {
            Some(name) if clean_name(name).as_ref() != Some(name) => Err(InvalidClient(
                "expected a client name of 1 to 100 visible characters, with single spaces between words",
            )),
            _ => Ok(Self { id, name, host }),
        }
    }

    /// Returns the id with which the client identifies itself.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name that the client claims.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the host of the client's redirect address or metadata document.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_valid(id: &str, name: Option<&str>, host: &str) -> bool {
        OAuthClient::new(id.to_owned(), name.map(str::to_owned), host.to_owned()).is_ok()
    }

    #[test]
    fn the_length_of_each_field_is_bounded() {
        assert!(is_valid(&"i".repeat(2_048), Some(&"é".repeat(100)), &"h".repeat(255)));
        assert!(is_valid("i", None, "h"));
        for (id, name, host) in [("", None, "h"), ("i", Some(""), "h"), ("i", None, "")] {
            assert!(!is_valid(id, name, host), "{id:?} {name:?} {host:?}");
        }
        assert!(!is_valid(&"i".repeat(2_049), None, "h"));
        assert!(!is_valid("i", Some(&"é".repeat(101)), "h"));
        assert!(!is_valid("i", None, &"h".repeat(256)));
    }

    #[test]
    fn a_name_cannot_hide_or_reverse_its_text() {
        for bad in ["a\nb", "a\0", "\u{202e}moc.elpmaxe", "a\u{2066}b", "\u{200f}x", "a\u{200b}b", "\u{e0041}", " a"] {
            assert!(!is_valid("i", Some(bad), "h"), "{bad:?}");
        }
        assert!(is_valid("i", Some("Claude · דוגמה"), "h"));
    }
}

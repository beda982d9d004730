//! Parses the `Authorization` header (HTTP reference, "Bearer tokens").

use std::fmt;

use crate::key::{KeyDigest, KeySecret};

/// A presented token. It is well-formed, but not authenticated yet. Its `Debug` output is redacted.
pub(crate) struct Bearer(KeySecret);

/// Maximum length of an external token, in bytes. It is often a signed document.
pub(crate) const MAX_EXTERNAL_BYTES: usize = 8_192;

/// The `Authorization` headers of a request contain no well-formed token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InvalidBearer {
    /// There are no bearer credentials.
    Missing,
    /// There is more than one header, or the token is too long or has bytes outside visible ASCII.
    Malformed,
}

impl Bearer {
    /// Parses all `Authorization` headers of a request.
    pub(crate) fn from_headers<'a>(
        headers: impl IntoIterator<Item = &'a [u8]>,
        max_bytes: usize,
    ) -> Result<Self, InvalidBearer> {
        let mut headers = headers.into_iter();
        let header = headers.next().ok_or(InvalidBearer::Missing)?;
        if headers.next().is_some() {
            return Err(InvalidBearer::Malformed);
        }
        let token = bearer_token(header).ok_or(InvalidBearer::Missing)?;
        if token.len() > max_bytes || !token.iter().all(u8::is_ascii_graphic) {
            return Err(InvalidBearer::Malformed);
        }
        let token = std::str::from_utf8(token).map_err(|_| InvalidBearer::Malformed)?;
        Ok(Self(token.to_owned().into()))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.expose()
    }

    pub(crate) fn digest(&self) -> KeyDigest {
        self.0.digest()
    }

    pub(crate) fn secret(&self) -> &KeySecret {
        &self.0
    }

    pub(crate) fn into_secret(self) -> KeySecret {
        self.0
    }
}

/// Returns the token after the scheme `Bearer`, or `None` if the header has another scheme or no token.
fn bearer_token(header: &[u8]) -> Option<&[u8]> {
    let header = header.trim_ascii();
    let end = header.iter().position(|b| *b == b' ')?;
    let (scheme, token) = header.split_at(end);
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && !token.is_empty()).then_some(token)
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::MAX_TOKEN_BYTES;

    fn read(headers: &[&[u8]]) -> Result<String, InvalidBearer> {
        Bearer::from_headers(headers.iter().copied(), MAX_TOKEN_BYTES).map(|bearer| bearer.as_str().to_owned())
    }

    #[test]
    fn debug_output_of_a_bearer_token_is_redacted() {
        assert_eq!(
            format!("{:?}", Bearer::from_headers([&b"Bearer t"[..]], MAX_TOKEN_BYTES).unwrap()),
            "Bearer([redacted])"
        );
    }

    #[test]
    fn the_scheme_ignores_case_and_extra_spaces() {
        for header in ["Bearer t", "bearer t", "BEARER   t  ", "  Bearer t"] {
            assert_eq!(read(&[header.as_bytes()]), Ok("t".to_owned()), "{header:?}");
        }
    }

    #[test]
    fn missing_credentials_and_malformed_tokens_have_different_errors() {
        let headers: [&[&[u8]]; 7] =
            [&[], &[b""], &[b"Bearer"], &[b"Bearer "], &[b"Basic t"], &[b"Bearert"], &[b"Bearer\tt"]];
        for header in headers {
            assert_eq!(read(header), Err(InvalidBearer::Missing), "{header:?}");
        }
        let long = format!("Bearer {}", "x".repeat(513));
        for bad in ["Bearer a b", "Bearer a\tb", "Bearer \u{e9}", "Bearer a\u{7f}", &long] {
            assert_eq!(read(&[bad.as_bytes()]), Err(InvalidBearer::Malformed), "{bad:?}");
        }
        assert_eq!(read(&[b"Bearer t", b"Bearer t"]), Err(InvalidBearer::Malformed));
        assert_eq!(read(&[b"Basic t", b"Bearer t"]), Err(InvalidBearer::Malformed));
        assert!(read(&[format!("Bearer {}", "x".repeat(512)).as_bytes()]).is_ok());
    }
}

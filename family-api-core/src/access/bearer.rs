//! Parses the `Authorization` header (HTTP reference, "Bearer tokens").

use std::fmt;

use zeroize::Zeroizing;

use crate::error::Error;
use crate::key::{KeyDigest, MAX_TOKEN_BYTES};

/// A presented token. It is well-formed, but not authenticated yet. Its `Debug` output is redacted.
pub struct Bearer(Zeroizing<String>);

impl Bearer {
    /// Parses all `Authorization` headers of a request.
    ///
    /// # Errors
    /// - [`Error::MissingToken`] if there are no bearer credentials.
    /// - [`Error::InvalidToken`] if there is more than one header, or if the token is longer than 512 bytes or has
    ///   bytes outside visible ASCII.
    pub fn from_headers<'a>(headers: impl IntoIterator<Item = &'a [u8]>) -> Result<Self, Error> {
        let mut headers = headers.into_iter();
        let header = headers.next().ok_or(Error::MissingToken)?;
        if headers.next().is_some() {
            return Err(Error::InvalidToken);
        }
        let token = credentials(header).ok_or(Error::MissingToken)?;
        if token.len() > MAX_TOKEN_BYTES || !token.iter().all(u8::is_ascii_graphic) {
            return Err(Error::InvalidToken);
        }
        let token = std::str::from_utf8(token).map_err(|_| Error::InvalidToken)?;
        Ok(Self(Zeroizing::new(token.to_owned())))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn digest(&self) -> KeyDigest {
        KeyDigest::of(&self.0)
    }
}

/// Returns the token after the scheme `Bearer` and its spaces, if there is one.
fn credentials(header: &[u8]) -> Option<&[u8]> {
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

    fn read(headers: &[&[u8]]) -> Result<String, &'static str> {
        let bearer = Bearer::from_headers(headers.iter().copied());
        bearer.map(|bearer| bearer.as_str().to_owned()).map_err(|error| error.code().as_str())
    }

    #[test]
    fn debug_output_is_redacted() {
        assert_eq!(format!("{:?}", Bearer::from_headers([&b"Bearer t"[..]]).unwrap()), "Bearer([redacted])");
    }

    #[test]
    fn the_scheme_ignores_case_and_extra_spaces() {
        for header in ["Bearer t", "bearer t", "BEARER   t  ", "  Bearer t"] {
            assert_eq!(read(&[header.as_bytes()]), Ok("t".to_owned()), "{header:?}");
        }
    }

    #[test]
    fn absent_credentials_are_missing_and_malformed_ones_invalid() {
        let headers: [&[&[u8]]; 7] =
            [&[], &[b""], &[b"Bearer"], &[b"Bearer "], &[b"Basic t"], &[b"Bearert"], &[b"Bearer\tt"]];
        for header in headers {
            assert_eq!(read(header), Err("missing_token"), "{header:?}");
        }
        let long = format!("Bearer {}", "x".repeat(513));
        for bad in ["Bearer a b", "Bearer a\tb", "Bearer \u{e9}", "Bearer a\u{7f}", &long] {
            assert_eq!(read(&[bad.as_bytes()]), Err("invalid_token"), "{bad:?}");
        }
        assert_eq!(read(&[b"Bearer t", b"Bearer t"]), Err("invalid_token"));
        assert_eq!(read(&[b"Basic t", b"Bearer t"]), Err("invalid_token"));
        assert!(read(&[format!("Bearer {}", "x".repeat(512)).as_bytes()]).is_ok());
    }
}

//! Proof key for code exchange (PKCE, RFC 7636) with the method S256.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The text is not a PKCE challenge or verifier. Contains what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct InvalidPkce(&'static str);

/// A code challenge of the method S256. It parses from 43 base64url characters.
#[derive(Clone, Copy)]
pub struct CodeChallenge([u8; 32]);

/// A code verifier. It parses from 43–128 of `A–Z a–z 0–9 - . _ ~`. `Debug` redacts it.
pub struct CodeVerifier(Zeroizing<String>);

impl CodeChallenge {
    /// Creates a challenge from its stored bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes to store.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for CodeChallenge {
    type Err = InvalidPkce;

    fn from_str(text: &str) -> Result<Self, InvalidPkce> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or(InvalidPkce("an S256 challenge: 43 base64url characters"))
    }
}

/// Compares in constant time.
impl PartialEq for CodeChallenge {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for CodeChallenge {}

/// Formats the 43 base64url characters.
impl fmt::Display for CodeChallenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for CodeChallenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CodeChallenge({self})")
    }
}

impl CodeVerifier {
    /// Returns the challenge of this verifier.
    #[must_use]
    pub fn challenge(&self) -> CodeChallenge {
        CodeChallenge(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl FromStr for CodeVerifier {
    type Err = InvalidPkce;

    fn from_str(text: &str) -> Result<Self, InvalidPkce> {
        let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if (43..=128).contains(&text.len()) && text.bytes().all(is_unreserved) {
            Ok(Self(Zeroizing::new(text.to_owned())))
        } else {
            Err(InvalidPkce("a verifier: 43 to 128 of A-Z a-z 0-9 - . _ ~"))
        }
    }
}

impl fmt::Debug for CodeVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeVerifier([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_rfc_matches() {
        let verifier: CodeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".parse().unwrap();
        let challenge: CodeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".parse().unwrap();
        assert_eq!(verifier.challenge(), challenge);
        assert_eq!(challenge.to_string(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(format!("{verifier:?}"), "CodeVerifier([redacted])");
    }

    #[test]
    fn a_text_of_another_length_or_alphabet_is_invalid() {
        for bad in ["", "abc", &"a".repeat(42), &"a".repeat(44), &"=".repeat(43), &"+".repeat(43)] {
            assert!(bad.parse::<CodeChallenge>().is_err(), "{bad:?}");
        }
        for bad in ["", &"a".repeat(42), &"a".repeat(129), &"+".repeat(43), &"é".repeat(43)] {
            assert!(bad.parse::<CodeVerifier>().is_err(), "{bad:?}");
        }
        assert!("a".repeat(128).parse::<CodeVerifier>().is_ok());
    }
}

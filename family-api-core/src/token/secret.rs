//! Tokens in plain text, and the checksum inside a token.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::token::{KeyDigest, has_reserved_prefix};

const RANDOM_BYTES: usize = 32;
const CHECKSUM_BYTES: usize = 4;

/// The prefix of every generated key. Default: `fam_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPrefix(Arc<str>);

/// The text is not a valid prefix: 1–16 of `A–Z a–z 0–9 _ -`, not beginning with the prefix of another credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a prefix of 1 to 16 of A-Z a-z 0-9 _ - that does not begin with fama_, famc_, famr_ or famcal_")]
pub struct InvalidPrefix;

impl KeyPrefix {
    /// Returns the prefix as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a presented token can be a key: false if it has the prefix and a wrong checksum.
    ///
    /// A token without the prefix is accepted, because another program generated it without a checksum.
    #[must_use]
    pub fn accepts(&self, token: &str) -> bool {
        token.strip_prefix(self.as_str()).is_none_or(is_base58check)
    }
}

impl Default for KeyPrefix {
    fn default() -> Self {
        Self("fam_".into())
    }
}

impl FromStr for KeyPrefix {
    type Err = InvalidPrefix;

    fn from_str(text: &str) -> Result<Self, InvalidPrefix> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if (1..=16).contains(&text.len()) && text.bytes().all(allowed) && !has_reserved_prefix(text) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidPrefix)
        }
    }
}

/// The operating system returned no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system returned no random bytes")]
pub struct RandomnessUnavailable;

/// The plaintext of a key, or of a token or code of a grant. It is zeroed on drop and redacted in `Debug` output. Only
/// [`expose`](Self::expose) returns the plaintext.
#[derive(Clone)]
pub struct KeySecret(Zeroizing<String>);

impl KeySecret {
    /// Generates a plaintext: the prefix and the base58check encoding of 32 random bytes from the operating system.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] if the operating system returns no random bytes.
    pub fn generate(prefix: &KeyPrefix) -> Result<Self, RandomnessUnavailable> {
        Self::generate_with(prefix.as_str())
    }

    pub(crate) fn generate_with(prefix: &str) -> Result<Self, RandomnessUnavailable> {
        let mut random = Zeroizing::new([0; RANDOM_BYTES]);
        getrandom::fill(random.as_mut_slice()).map_err(|_| RandomnessUnavailable)?;
        Ok(Self::encode(prefix, &random))
    }

    /// Encodes the prefix, the payload and its checksum.
    pub(crate) fn encode(prefix: &str, payload: &[u8; RANDOM_BYTES]) -> Self {
        let mut bytes = Zeroizing::new([0; RANDOM_BYTES + CHECKSUM_BYTES]);
        let (random, check) = bytes.split_at_mut(RANDOM_BYTES);
        random.copy_from_slice(payload);
        check.copy_from_slice(&token_checksum(payload));
        let encoded = Zeroizing::new(bs58::encode(bytes.as_slice()).into_string());
        Self(Zeroizing::new([prefix, &encoded].concat()))
    }

    /// Returns the payload if the text has the prefix and a valid checksum.
    pub(crate) fn payload(&self, prefix: &str) -> Option<Zeroizing<[u8; RANDOM_BYTES]>> {
        decode(self.0.strip_prefix(prefix)?)
    }

    /// Returns the plaintext.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the digest, which is stored instead of the plaintext.
    #[must_use]
    pub fn digest(&self) -> KeyDigest {
        KeyDigest::of(self.expose())
    }

    /// Returns the prefix and the last four characters, by which the owner recognises the key.
    #[must_use]
    pub fn hint(&self, prefix: &KeyPrefix) -> String {
        self.hint_with(prefix.as_str())
    }

    pub(crate) fn hint_with(&self, prefix: &str) -> String {
        let last = self.0.len().saturating_sub(4);
        format!("{prefix}…{}", &self.0[last..])
    }
}

/// Wraps a presented plaintext, which can be any text.
impl From<String> for KeySecret {
    fn from(plaintext: String) -> Self {
        Self(Zeroizing::new(plaintext))
    }
}

impl fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeySecret([redacted])")
    }
}

/// Returns the first four bytes of `SHA-256(SHA-256(payload))`.
fn token_checksum(payload: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(Sha256::digest(payload)));
    [a, b, c, d]
}

fn is_base58check(text: &str) -> bool {
    decode(text).is_some()
}

/// Returns the payload of a base58check text.
fn decode(text: &str) -> Option<Zeroizing<[u8; RANDOM_BYTES]>> {
    let mut bytes = Zeroizing::new([0; RANDOM_BYTES + CHECKSUM_BYTES]);
    let length = bs58::decode(text).onto(bytes.as_mut_slice());
    let (payload, check) = bytes.split_at(RANDOM_BYTES);
    if length != Ok(bytes.len()) || token_checksum(payload) != check {
        return None;
    }
    let mut decoded = Zeroizing::new([0; RANDOM_BYTES]);
    decoded.copy_from_slice(payload);
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_token_detects_a_changed_character() {
        let prefix = KeyPrefix::default();
        let secret = KeySecret::generate(&prefix).unwrap();
        let token = secret.expose();
        assert!(token.starts_with("fam_"));
        assert!(prefix.accepts(token));
        for at in 4..token.len() {
            let mut typo = token.as_bytes().to_vec();
            typo[at] = if typo[at] == b'2' { b'3' } else { b'2' };
            assert!(!prefix.accepts(std::str::from_utf8(&typo).unwrap()), "changed at {at}");
        }
        assert!(!prefix.accepts(&token[..token.len() - 1]));
        assert!(!prefix.accepts(&format!("{token}1")));
        assert!(!prefix.accepts("fam_"));
        assert!(prefix.accepts("host_anything"));
    }

    #[test]
    fn a_prefix_with_another_character_or_length_is_invalid() {
        for good in ["a", "Z9", "fam_", "host-2_x", "abcdefghijklmnop"] {
            assert_eq!(good.parse::<KeyPrefix>().unwrap().as_str(), good);
        }
        for bad in ["", "abcdefghijklmnopq", "a.", "a b", "a,", "é", "a\n", "fama_", "famr_x", "famc_", "famcal_x"] {
            assert_eq!(bad.parse::<KeyPrefix>(), Err(InvalidPrefix), "{bad:?}");
        }
    }

    #[test]
    fn a_known_base58check_vector_is_accepted() {
        // The bytes 0 to 31, encoded by an independent implementation.
        assert!(is_base58check("16qJFWMMHFy3xDdLmvUeyc2S6FrWRhJP51HsvDYdz9d1FsYG"));
    }

    #[test]
    fn the_hint_is_the_prefix_and_the_last_four_characters() {
        let prefix: KeyPrefix = "acme-".parse().unwrap();
        let secret = KeySecret::generate(&prefix).unwrap();
        let hint = secret.hint(&prefix);
        assert!(hint.starts_with("acme-…"));
        assert!(secret.expose().ends_with(&hint["acme-…".len()..]));
        assert_eq!(hint.chars().count(), 5 + 1 + 4);
        assert_eq!(format!("{secret:?}"), "KeySecret([redacted])");
    }
}

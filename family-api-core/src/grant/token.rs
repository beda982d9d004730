//! The tokens of a grant in plain text. Only their digests are stored.

use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::token::{ACCESS, CODE, KeyDigest, KeySecret, REFRESH, RandomnessUnavailable};

/// The time for which an access token is valid.
pub(crate) const ACCESS_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// The time for which a refresh token is valid after it was issued.
pub(crate) const REFRESH_LIFETIME: SignedDuration = SignedDuration::from_hours(60 * 24);

/// The time for which a code is valid.
pub(crate) const CODE_LIFETIME: SignedDuration = SignedDuration::from_secs(60);

/// Generates an access token.
pub(crate) fn access_token() -> Result<KeySecret, RandomnessUnavailable> {
    KeySecret::generate_with(ACCESS)
}

/// Generates a code.
pub(crate) fn code() -> Result<KeySecret, RandomnessUnavailable> {
    KeySecret::generate_with(CODE)
}

/// Returns whether a text has the prefix of an access token.
pub(crate) fn is_access_token_like(text: &str) -> bool {
    text.starts_with(ACCESS)
}

/// Returns whether a text has the prefix and a valid checksum of an access token.
pub(crate) fn is_access_token(text: &KeySecret) -> bool {
    text.payload(ACCESS).is_some()
}

/// Returns whether a text has the prefix and a valid checksum of a code.
pub(crate) fn is_code(text: &KeySecret) -> bool {
    text.payload(CODE).is_some()
}

/// The secret bytes that all refresh tokens of a grant share.
#[derive(Clone)]
struct Family(Zeroizing<[u8; 16]>);

/// A refresh token: the family, which is constant over the grant, and a secret, which is new at each rotation.
///
/// The family finds the grant. If the token is not the current one of the grant, it was used before. A stranger cannot
/// present such a token, because the family is secret, too.
pub(crate) struct RefreshToken {
    secret: KeySecret,
    family: Family,
}

impl RefreshToken {
    /// Generates the first token of a new family.
    pub(crate) fn generate() -> Result<Self, RandomnessUnavailable> {
        let mut family = Family(Zeroizing::default());
        getrandom::fill(family.0.as_mut_slice()).map_err(|_| RandomnessUnavailable)?;
        Self::of_family(family)
    }

    /// Generates the next token of the family.
    pub(crate) fn rotate(&self) -> Result<Self, RandomnessUnavailable> {
        Self::of_family(self.family.clone())
    }

    /// Returns the token of a text, or `None` if the text is not a refresh token.
    pub(crate) fn parse(secret: KeySecret) -> Option<Self> {
        let payload = secret.payload(REFRESH)?;
        let mut family = Family(Zeroizing::default());
        family.0.copy_from_slice(&payload[..16]);
        Some(Self { secret, family })
    }

    fn of_family(family: Family) -> Result<Self, RandomnessUnavailable> {
        let mut payload = Zeroizing::new([0; 32]);
        let (first, random) = payload.split_at_mut(16);
        first.copy_from_slice(family.0.as_slice());
        getrandom::fill(random).map_err(|_| RandomnessUnavailable)?;
        Ok(Self { secret: KeySecret::encode(REFRESH, &payload), family })
    }

    /// Returns the digest of the family, which finds the grant.
    pub(crate) fn family(&self) -> KeyDigest {
        KeyDigest::from_bytes(Sha256::digest(self.family.0.as_slice()).into())
    }

    /// Returns the digest of the whole token.
    pub(crate) fn digest(&self) -> KeyDigest {
        self.secret.digest()
    }

    pub(crate) fn into_secret(self) -> KeySecret {
        self.secret
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_keeps_the_family_and_replaces_the_token() {
        let first = RefreshToken::generate().unwrap();
        let second = first.rotate().unwrap();
        assert_eq!(first.family(), second.family());
        assert_ne!(first.digest(), second.digest());
        assert_ne!(RefreshToken::generate().unwrap().family(), first.family());
        let (family, digest) = (second.family(), second.digest());
        let parsed = RefreshToken::parse(second.into_secret()).unwrap();
        assert_eq!((parsed.family(), parsed.digest()), (family, digest));
    }

    #[test]
    fn each_kind_of_token_has_its_own_prefix_and_a_checksum() {
        let (access, code) = (access_token().unwrap(), code().unwrap());
        assert!(access.expose().starts_with("fama_") && is_access_token(&access) && !is_code(&access));
        assert!(code.expose().starts_with("famc_") && is_code(&code) && !is_access_token(&code));
        let typo = KeySecret::from(format!("{}x", access.expose()));
        assert!(is_access_token_like(typo.expose()) && !is_access_token(&typo));
        assert!(RefreshToken::parse(access).is_none() && RefreshToken::parse(typo).is_none());
    }
}

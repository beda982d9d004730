//! The code and the tokens of a grant in plain text. Only their digests are stored.

use std::fmt;
use std::str::FromStr;

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

/// Returns whether a text has the prefix of an access token.
pub(crate) fn is_access_token_like(text: &str) -> bool {
    text.starts_with(ACCESS)
}

/// Returns whether a text has the prefix and a valid checksum of an access token.
pub(crate) fn is_access_token(text: &KeySecret) -> bool {
    text.payload(ACCESS).is_some()
}

/// The text is not a code, or not a refresh token: its prefix or its checksum is wrong. Contains the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MalformedSecret(pub(super) &'static str);

/// An authorization code, which a client exchanges for tokens. It is zeroed on drop and redacted in `Debug` output.
#[derive(Debug, Clone)]
pub struct AuthorizationCode(KeySecret);

impl AuthorizationCode {
    /// Generates a code.
    pub(crate) fn generate() -> Result<Self, RandomnessUnavailable> {
        KeySecret::generate_with(CODE).map(Self)
    }

    /// Returns the plaintext.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Returns the digest, which is stored instead of the plaintext.
    #[must_use]
    pub fn digest(&self) -> KeyDigest {
        self.0.digest()
    }
}

/// Verifies the prefix and the checksum.
impl FromStr for AuthorizationCode {
    type Err = MalformedSecret;

    fn from_str(text: &str) -> Result<Self, MalformedSecret> {
        let secret = KeySecret::from(text.to_owned());
        if secret.payload(CODE).is_some() { Ok(Self(secret)) } else { Err(MalformedSecret("the code is malformed")) }
    }
}

/// The secret bytes that all refresh tokens of a grant share.
#[derive(Clone)]
struct Family(Zeroizing<[u8; 16]>);

/// A refresh token: the family, which is constant over the grant, and a secret, which is new at each rotation. It is
/// zeroed on drop and redacted in `Debug` output.
///
/// The family finds the grant. If the token is not the current one of the grant, it was used before. A stranger cannot
/// present such a token, because the family is secret, too.
#[derive(Clone)]
pub struct RefreshToken {
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

    /// Returns the plaintext.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.secret.expose()
    }

    /// Returns the digest of the whole token.
    pub(crate) fn digest(&self) -> KeyDigest {
        self.secret.digest()
    }
}

/// Verifies the prefix and the checksum.
impl FromStr for RefreshToken {
    type Err = MalformedSecret;

    fn from_str(text: &str) -> Result<Self, MalformedSecret> {
        let secret = KeySecret::from(text.to_owned());
        let payload = secret.payload(REFRESH).ok_or(MalformedSecret("the refresh token is malformed"))?;
        let mut family = Family(Zeroizing::default());
        family.0.copy_from_slice(&payload[..16]);
        Ok(Self { secret, family })
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshToken([redacted])")
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
        let parsed: RefreshToken = second.expose().parse().unwrap();
        assert_eq!((parsed.family(), parsed.digest()), (second.family(), second.digest()));
    }

    #[test]
    fn each_kind_of_token_has_its_own_prefix_and_a_checksum() {
        let access = access_token().unwrap();
        let code = AuthorizationCode::generate().unwrap();
        let refresh = RefreshToken::generate().unwrap();
        assert!(access.expose().starts_with("fama_") && is_access_token(&access));
        assert!(code.expose().starts_with("famc_") && refresh.expose().starts_with("famr_"));
        assert_eq!(code.expose().parse::<AuthorizationCode>().unwrap().digest(), code.digest());
        let typo = KeySecret::from(format!("{}x", access.expose()));
        assert!(is_access_token_like(typo.expose()) && !is_access_token(&typo));
        assert!(!is_access_token(&KeySecret::from(code.expose().to_owned())));
        let cut = |text: &str| text[..text.len() - 1].to_owned();
        for other in [access.expose(), refresh.expose(), &cut(code.expose()), ""] {
            assert!(other.parse::<AuthorizationCode>().is_err(), "{other}");
        }
        for other in [access.expose(), code.expose(), &cut(refresh.expose()), ""] {
            assert!(other.parse::<RefreshToken>().is_err(), "{other}");
        }
    }

    #[test]
    fn debug_output_of_a_code_and_a_refresh_token_is_redacted() {
        let code = AuthorizationCode::generate().unwrap();
        assert_eq!(format!("{code:?}"), "AuthorizationCode(KeySecret([redacted]))");
        assert_eq!(format!("{:?}", RefreshToken::generate().unwrap()), "RefreshToken([redacted])");
    }
}

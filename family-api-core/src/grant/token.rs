//! The code and the tokens of a grant in plain text. Only their digests are stored.

use std::fmt;
use std::str::FromStr;

use hmac::Mac;
use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::grant::RotationNonce;
use crate::grant::keyed_hmac::keyed_hmac;
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

/// A refresh token: 16 bytes of the lineage, which is constant over the grant, and 16 bytes that each rotation replaces.
/// It is zeroed on drop and redacted in `Debug` output.
///
/// The lineage finds the grant. If the token is not the current one of the grant, it was used before. A stranger cannot
/// present such a token, because the lineage is secret, too.
#[derive(Clone)]
pub struct RefreshToken {
    secret: KeySecret,
    payload: Zeroizing<[u8; 32]>,
}

impl RefreshToken {
    /// Generates the first token of a new lineage.
    pub(crate) fn generate() -> Result<Self, RandomnessUnavailable> {
        let mut payload = Zeroizing::new([0; 32]);
        getrandom::fill(payload.as_mut_slice()).map_err(|_| RandomnessUnavailable)?;
        Ok(Self::of_payload(payload))
    }

    fn of_payload(payload: Zeroizing<[u8; 32]>) -> Self {
        Self { secret: KeySecret::encode(REFRESH, &payload), payload }
    }

    /// Derives the refresh token that replaces this one.
    ///
    /// The same nonce leads to the same token, on every node. Without this token, the nonce reveals nothing. Without the
    /// nonce, this token reveals none of the later tokens.
    pub(crate) fn successor(&self, nonce: &RotationNonce) -> Self {
        let mut payload = self.payload.clone();
        payload[16..].copy_from_slice(&self.derive("refresh token", nonce)[..16]);
        Self::of_payload(payload)
    }

    /// Derives the access token that is issued together with this token. The nonce is that of the rotation that issued
    /// both.
    pub(crate) fn access_token(&self, nonce: &RotationNonce) -> KeySecret {
        KeySecret::encode(ACCESS, &self.derive("access token", nonce))
    }

    fn derive(&self, purpose: &str, nonce: &RotationNonce) -> Zeroizing<[u8; 32]> {
        let mac = keyed_hmac(&self.payload, purpose).chain_update(nonce.as_bytes());
        Zeroizing::new(mac.finalize().into_bytes().into())
    }

    /// Returns the digest of the lineage, which finds the grant.
    pub(crate) fn lineage(&self) -> KeyDigest {
        KeyDigest::from_bytes(Sha256::digest(&self.payload[..16]).into())
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
        Ok(Self { secret, payload })
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
    fn a_rotation_keeps_the_lineage_and_replaces_the_token() {
        let first = RefreshToken::generate().unwrap();
        let nonce = RotationNonce::generate().unwrap();
        let second = first.successor(&nonce);
        assert_eq!(first.lineage(), second.lineage());
        assert_ne!(first.digest(), second.digest());
        assert!(is_access_token(&second.access_token(&nonce)));
        assert_ne!(RefreshToken::generate().unwrap().lineage(), first.lineage());
        let parsed: RefreshToken = second.expose().parse().unwrap();
        assert_eq!((parsed.lineage(), parsed.digest()), (second.lineage(), second.digest()));
    }

    #[test]
    fn derived_tokens_depend_on_the_whole_token_and_on_the_nonce() {
        let derived = |last: u8, nonce| {
            let mut payload = Zeroizing::new([7; 32]);
            payload[31] = last;
            let (token, nonce) = (RefreshToken::of_payload(payload), RotationNonce::from_bytes([nonce; 32]));
            (token.successor(&nonce).expose().to_owned(), token.access_token(&nonce).expose().to_owned())
        };
        assert_eq!(derived(1, 1), derived(1, 1));
        for (last, nonce) in [(2, 1), (1, 2)] {
            let (refresh, access) = derived(last, nonce);
            assert!(refresh != derived(1, 1).0 && access != derived(1, 1).1, "{last} {nonce}");
        }
    }

    #[test]
    fn derived_tokens_are_those_of_an_independent_implementation() {
        // Python: hmac.new(bytes([7] * 32), b"refresh token\0" + bytes([1] * 32), "sha256"). The first 16 bytes end the
        // successor, which is the key of the same for "access token".
        let nonce = RotationNonce::from_bytes([1; 32]);
        let successor = RefreshToken::of_payload(Zeroizing::new([7; 32])).successor(&nonce);
        assert_eq!(hex::encode(*successor.payload), "0707070707070707070707070707070705ec703f96d66bf56340fe69a6e7692d");
        let access = successor.access_token(&nonce);
        let payload = hex::encode(*access.payload(ACCESS).unwrap());
        assert_eq!(payload, "86f3e89e1c29d265e99ee26f2c3f00be0072f7bab2aeff3a8aa9d3c149e9be3b");
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

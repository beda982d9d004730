//! The last rotation of the tokens of a grant, and the time for which it can be repeated.

use std::fmt;

use jiff::SignedDuration;

use crate::Timestamp;
use crate::key::{KeyDigest, RandomnessUnavailable, ScopeSet};

/// The time for which the last rotation can be repeated.
///
/// It covers an answer that was lost, and the refreshes of parallel calls and processes. The bursts that others have
/// reported of such clients lasted up to 76 s, most of them less than 60 s.
const TOLERANCE: SignedDuration = SignedDuration::from_secs(60);

/// Random bytes from which, together with a refresh token, the tokens that replace it are derived. On their own, they
/// reveal nothing. `Debug` redacts them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RotationNonce([u8; 32]);

impl RotationNonce {
    pub(crate) fn generate() -> Result<Self, RandomnessUnavailable> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| RandomnessUnavailable)?;
        Ok(Self(bytes))
    }

    /// Creates a nonce from its stored bytes.
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

impl fmt::Debug for RotationNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RotationNonce([redacted])")
    }
}

/// The refresh that issued the current tokens of a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// The digest of the refresh token that was replaced.
    pub predecessor: KeyDigest,
    /// The nonce from which the current tokens were derived.
    pub nonce: RotationNonce,
    /// When the tokens were replaced.
    pub rotated_at: Timestamp,
    /// The scopes of the current access token.
    pub scopes: ScopeSet,
    /// When the current access token expires.
    pub access_expires_at: Timestamp,
}

impl Rotation {
    /// Returns whether a refresh with the predecessor or with the current refresh token gets the current tokens again: for
    /// 60 seconds after the rotation.
    ///
    /// The difference counts in both directions, so a clock that is set back extends the time by two minutes at most.
    pub(crate) fn is_repeatable(&self, now: Timestamp) -> bool {
        SignedDuration::from_millis(now.as_millis() - self.rotated_at.as_millis()).abs() < TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_can_be_repeated_for_a_minute_of_any_clock() {
        let rotated_at: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
        let rotation = Rotation {
            predecessor: KeyDigest::of("t"),
            nonce: RotationNonce::from_bytes([1; 32]),
            rotated_at,
            scopes: ScopeSet::default(),
            access_expires_at: rotated_at,
        };
        for (milliseconds, expected) in [(0, true), (59_999, true), (60_000, false), (-59_999, true), (-60_000, false)]
        {
            let now = rotated_at.saturating_add(SignedDuration::from_millis(milliseconds));
            assert_eq!(rotation.is_repeatable(now), expected, "{milliseconds}");
        }
        assert_eq!(format!("{:?}", rotation.nonce), "RotationNonce([redacted])");
    }
}

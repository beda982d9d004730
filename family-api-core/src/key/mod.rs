//! Integration keys, their scopes, and how a token is generated and recognised (HTTP reference, "Token format").

#[cfg(feature = "service")]
mod digest;
mod draft;
#[cfg(feature = "service")]
mod environment;
mod mode;
mod scope;
#[cfg(feature = "service")]
mod secret;

#[cfg(feature = "service")]
pub use digest::KeyDigest;
pub use draft::KeyDraft;
#[cfg(feature = "service")]
pub use environment::{EnvironmentTokens, InvalidEnvironmentToken};
pub use mode::KeyMode;
pub use scope::{Scope, ScopeSet};
#[cfg(feature = "service")]
pub use secret::{InvalidPrefix, KeyPrefix, KeySecret, RandomnessUnavailable};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use zeroize::Zeroizing;

use crate::Timestamp;
use crate::id::KeyId;

/// The longest token, in bytes (HTTP reference, "Bearer tokens").
pub(crate) const MAX_TOKEN_BYTES: usize = 512;

/// An integration key as its owner sees it: all but the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntegrationKey {
    /// The key.
    pub id: KeyId,
    /// The mode whose scopes the key has; null if they are the scopes of no mode.
    #[serde(default, deserialize_with = "mode::known")]
    pub mode: Option<KeyMode>,
    /// What the key may do.
    pub scopes: ScopeSet,
    /// The name that the owner gave; null if there is none.
    pub name: Option<String>,
    /// The prefix and the last four characters of the token.
    pub hint: String,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key expires: from then on it is refused. Null if it does not expire.
    pub expires_at: Option<Timestamp>,
    /// When the key was last used, to the minute; null if it was never used.
    pub last_used_at: Option<Timestamp>,
}

impl IntegrationKey {
    /// Whether the key has not expired: valid while `now < expiresAt`.
    #[must_use]
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|expires_at| now < expires_at)
    }
}

/// The answer to the creation of a key: the only one that contains the token.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreatedKey {
    /// The key.
    pub id: KeyId,
    /// The plaintext of the token. It is in this answer only.
    pub token: PlainToken,
    /// The mode of the key.
    #[serde(default, deserialize_with = "mode::known")]
    pub mode: Option<KeyMode>,
    /// What the key may do.
    pub scopes: ScopeSet,
    /// The name that the owner gave; null if there is none.
    pub name: Option<String>,
    /// The prefix and the last four characters of the token.
    pub hint: String,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key expires: from then on it is refused. Null if it does not expire.
    pub expires_at: Option<Timestamp>,
    /// Null: a new key was never used.
    pub last_used_at: Option<Timestamp>,
}

#[cfg(feature = "service")]
impl CreatedKey {
    pub(crate) fn new(key: IntegrationKey, secret: &KeySecret) -> Self {
        Self {
            id: key.id,
            token: PlainToken(Zeroizing::new(secret.expose().to_owned())),
            mode: key.mode,
            scopes: key.scopes,
            name: key.name,
            hint: key.hint,
            created_at: key.created_at,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
        }
    }
}

/// A plaintext on its way to its owner: redacted in `Debug`, zeroed on drop.
///
/// What is read as one is what a header can carry (HTTP reference, "Bearer tokens").
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct PlainToken(
    #[serde(deserialize_with = "visible_ascii")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    Zeroizing<String>,
);

fn visible_ascii<'de, D: Deserializer<'de>>(input: D) -> Result<Zeroizing<String>, D::Error> {
    let token = Zeroizing::<String>::deserialize(input)?;
    if (1..=MAX_TOKEN_BYTES).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(token)
    } else {
        Err(D::Error::custom("expected a token of visible ASCII"))
    }
}

impl PlainToken {
    /// The plaintext itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PlainToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlainToken([redacted])")
    }
}

/// The active keys of a user, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KeyList {
    /// The keys.
    pub tokens: Vec<IntegrationKey>,
}

/// The answer to a revocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RevokedKey {
    /// Always true.
    pub ok: bool,
    /// The key that was revoked.
    pub id: KeyId,
    /// When the key was revoked: from then on it is refused.
    pub revoked_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let token: Result<PlainToken, _> = serde_json::from_value(text.into());
        token.ok().map(|token| token.expose().to_owned())
    }

    #[test]
    fn a_plaintext_is_read_as_a_header_can_carry_it() {
        let longest = "x".repeat(MAX_TOKEN_BYTES);
        for good in ["fam_x", "!~", longest.as_str()] {
            assert_eq!(read(good).as_deref(), Some(good));
        }
        for bad in ["", "a b", "a\n", "é", &"x".repeat(MAX_TOKEN_BYTES + 1)] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_plaintext_is_not_shown() {
        let token: PlainToken = serde_json::from_value("fam_x".into()).unwrap();
        assert_eq!(format!("{token:?}"), "PlainToken([redacted])");
    }
}

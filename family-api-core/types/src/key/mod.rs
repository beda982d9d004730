//! Integration keys, their scopes and modes.

mod draft;
pub(crate) mod mode;
mod scope;

pub use draft::KeyDraft;
pub(crate) use draft::{Expiry, NAME};
pub use mode::KeyMode;
pub use scope::{Scope, ScopeSet};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use zeroize::Zeroizing;

use crate::id::KeyId;
use crate::timestamp::Timestamp;

/// Maximum length of a token, in bytes (HTTP reference, "Bearer tokens").
pub const MAX_TOKEN_BYTES: usize = 512;

/// An integration key, without the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntegrationKey {
    /// Identifier of the key.
    pub id: KeyId,
    /// The mode with the scopes of the key; null if no mode has these scopes.
    #[serde(default, deserialize_with = "mode::deserialize_known")]
    pub mode: Option<KeyMode>,
    /// The scopes of the key.
    pub scopes: ScopeSet,
    /// Name of the key; null if there is none.
    pub name: Option<String>,
    /// The prefix and the last four characters of the token.
    pub hint: String,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key expires: from this instant on, the key is refused. Null if the key does not expire.
    pub expires_at: Option<Timestamp>,
    /// When the key was last used, truncated to the minute; null if it was never used.
    pub last_used_at: Option<Timestamp>,
}

impl IntegrationKey {
    /// Returns whether the key has not expired: `now < expiresAt`.
    #[must_use]
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|expires_at| now < expires_at)
    }
}

/// The response to the creation of a key. It is the only response that contains the token.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreatedKey {
    /// Identifier of the key.
    pub id: KeyId,
    /// The plaintext of the token. Only this response contains it.
    pub token: PlainToken,
    /// The mode of the key.
    #[serde(default, deserialize_with = "mode::deserialize_known")]
    pub mode: Option<KeyMode>,
    /// The scopes of the key.
    pub scopes: ScopeSet,
    /// Name of the key; null if there is none.
    pub name: Option<String>,
    /// The prefix and the last four characters of the token.
    pub hint: String,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key expires: from this instant on, the key is refused. Null if the key does not expire.
    pub expires_at: Option<Timestamp>,
    /// Always null, because a new key was never used.
    pub last_used_at: Option<Timestamp>,
}

impl CreatedKey {
    /// Creates the response.
    #[must_use]
    pub fn new(key: IntegrationKey, token: PlainToken) -> Self {
        Self {
            id: key.id,
            token,
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

/// The plaintext of a token in a response. It is redacted in `Debug` output and zeroed on drop.
///
/// Only 1–512 characters of visible ASCII deserialize as a token (HTTP reference, "Bearer tokens").
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct PlainToken(
    #[serde(deserialize_with = "deserialize_token")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    Zeroizing<String>,
);

fn deserialize_token<'de, D: Deserializer<'de>>(input: D) -> Result<Zeroizing<String>, D::Error> {
    let token = Zeroizing::<String>::deserialize(input)?;
    if (1..=MAX_TOKEN_BYTES).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(token)
    } else {
        Err(D::Error::custom("expected a token of visible ASCII"))
    }
}

impl PlainToken {
    /// Wraps the plaintext of a token.
    #[must_use]
    pub fn new(plaintext: &str) -> Self {
        Self(Zeroizing::new(plaintext.to_owned()))
    }

    /// Returns the plaintext.
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

impl KeyList {
    /// Creates the list.
    #[must_use]
    pub fn new(tokens: Vec<IntegrationKey>) -> Self {
        Self { tokens }
    }
}

/// The response to the revocation of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RevokedKey {
    /// Always true.
    pub ok: bool,
    /// Identifier of the key that was revoked.
    pub id: KeyId,
    /// When the key was revoked: from this instant on, the key is refused.
    pub revoked_at: Timestamp,
}

impl RevokedKey {
    /// Creates the response.
    #[must_use]
    pub fn new(id: KeyId, revoked_at: Timestamp) -> Self {
        Self { ok: true, id, revoked_at }
    }
}

/// The response to the revocation of all access of a user: what it ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RevokedAccess {
    /// The number of keys that were revoked. Keys that had expired or were revoked before do not count.
    pub keys: u64,
    /// The number of assistants that can no longer act for the user.
    pub connections: u64,
    /// The number of calendar feeds that ended. Feeds that had expired do not count.
    pub feeds: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let token: Result<PlainToken, _> = serde_json::from_value(text.into());
        token.ok().map(|token| token.expose().to_owned())
    }

    #[test]
    fn only_visible_ascii_deserializes_as_a_token() {
        let longest = "x".repeat(MAX_TOKEN_BYTES);
        for good in ["fam_x", "!~", longest.as_str()] {
            assert_eq!(read(good).as_deref(), Some(good));
        }
        for bad in ["", "a b", "a\n", "é", &"x".repeat(MAX_TOKEN_BYTES + 1)] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn debug_output_of_a_token_is_redacted() {
        let token: PlainToken = serde_json::from_value("fam_x".into()).unwrap();
        assert_eq!(format!("{token:?}"), "PlainToken([redacted])");
    }
}

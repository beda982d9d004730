//! Families, users and their keys.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::field::{currency, digest, email, nullable};
use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::{FamilyId, KeyId, UserId};
use crate::key::{KeyDigest, ScopeSet};
use crate::storage::{PasswordHash, StorageError};

/// A family.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FamilyRecord {
    /// Identifier of the family.
    pub id: FamilyId,
    /// Display name.
    pub name: String,
    /// When the family was created.
    pub created_at: Timestamp,
    /// When the family was last changed.
    pub updated_at: Timestamp,
}

/// A user, with or without a family.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserRecord {
    /// Identifier of the user.
    pub id: UserId,
    /// The family of the user.
    #[serde(deserialize_with = "nullable")]
    pub family_id: Option<FamilyId>,
    /// Display name.
    pub name: String,
    /// E-mail address: at most 320 characters.
    #[serde(deserialize_with = "email")]
    pub email: String,
    /// Address of a picture.
    #[serde(deserialize_with = "nullable")]
    pub image: Option<String>,
    /// Display colour.
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// ISO 4217 code.
    #[serde(deserialize_with = "currency")]
    pub display_currency: String,
    /// IANA time zone.
    pub time_zone: Zone,
    /// Whether the keys of this user may call `/api/v1`.
    pub personal_api_enabled: bool,
    /// Name of the configured language model.
    #[serde(deserialize_with = "nullable")]
    pub llm_model: Option<String>,
    /// Whether a key for the language model is stored.
    pub llm_key_configured: bool,
    /// The password. It may be left out.
    #[serde(default)]
    pub password: Password,
    /// When the user was created.
    pub created_at: Timestamp,
    /// When the user was last changed.
    pub updated_at: Timestamp,
}

/// A user's password in an import. A storage stores only hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Password {
    /// The user has no password and cannot sign in with one.
    #[default]
    None,
    /// The plain password from the file. It must be hashed before it is stored.
    Plain(PlainPassword),
    /// A hash, ready to be stored.
    Hashed(PasswordHash),
}

impl Password {
    /// Returns the hash to store, or `None` if there is no password.
    ///
    /// # Errors
    /// [`StorageError::Backend`] if the password is not hashed.
    pub fn hash(&self) -> Result<Option<&PasswordHash>, StorageError> {
        match self {
            Self::None => Ok(None),
            Self::Hashed(hash) => Ok(Some(hash)),
            Self::Plain(_) => Err(StorageError::backend("cannot store a password that is not hashed")),
        }
    }
}

/// Implemented by hand, so that an error never quotes the value, as the error of serde would.
impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(input)? {
            serde_json::Value::Null => Ok(Self::None),
            serde_json::Value::String(password) if !password.is_empty() => Ok(Self::Plain(PlainPassword(password))),
            _ => Err(D::Error::custom("expected a non-empty string or null")),
        }
    }
}

/// A password in the clear: redacted in `Debug`, zeroed on drop.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainPassword(String);

impl PlainPassword {
    /// Returns the plain password.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Drop for PlainPassword {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

impl std::fmt::Debug for PlainPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlainPassword([redacted])")
    }
}

/// An integration key, identified by its digest.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyRecord {
    /// Identifier of the key.
    pub id: KeyId,
    /// The owner of the key.
    pub user_id: UserId,
    /// The name that the owner gave.
    #[serde(deserialize_with = "nullable")]
    pub name: Option<String>,
    /// The prefix and the last four characters of the token.
    pub hint: String,
    /// The SHA-256 of the whole token. In the file: 64 hexadecimal digits.
    #[serde(deserialize_with = "digest")]
    pub token_hash: KeyDigest,
    /// What the key may do. Unknown scopes are kept.
    pub scopes: ScopeSet,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key expires; `None` if it does not expire.
    #[serde(deserialize_with = "nullable")]
    pub expires_at: Option<Timestamp>,
    /// When the key was revoked; `None` if it is not.
    #[serde(deserialize_with = "nullable")]
    pub revoked_at: Option<Timestamp>,
}

//! Families, users and their keys.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::field::{currency, digest, email, present, serialize_digest};
use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::{FamilyId, KeyId, UserId};
use crate::key::{IntegrationKey, KeyDigest, KeyMode, ScopeSet};
use crate::resource::{Person, Profile};
use crate::storage::{PasswordHash, StorageError};

record! {
    /// A family.
    FamilyRecord: "family" in "families" {
        /// Identifier of the family.
        id: FamilyId,
        /// Display name.
        name: String,
        /// When the family was created.
        created_at: Timestamp,
        /// When the family was last changed.
        updated_at: Timestamp,
    } stores {} refers {}
}

record! {
    /// A user, with or without a family.
    UserRecord: "user" in "users" {
        /// Identifier of the user.
        id: UserId,
        /// The family of the user.
        family_id: Option<FamilyId>,
        /// Display name.
        name: String,
        /// E-mail address: at most 320 characters. It is stored in lower case.
        #[serde(deserialize_with = "email")]
        email: String,
        /// Address of a picture.
        image: Option<String>,
        /// Display colour.
        color: Option<String>,
        /// Display emoji.
        emoji: Option<String>,
        /// ISO 4217 code.
        #[serde(deserialize_with = "currency")]
        display_currency: String,
        /// IANA time zone.
        time_zone: Zone,
        /// Whether the keys of this user may call `/api/v1`.
        personal_api_enabled: bool,
        /// Name of the configured language model.
        llm_model: Option<String>,
        /// Whether a key for the language model is stored.
        llm_key_configured: bool,
    } stores {
        /// The password. The field is optional.
        #[serde(default, skip_serializing_if = "Password::is_none")]
        password: Password,
        /// When the user was created.
        created_at: Timestamp,
        /// When the user was last changed.
        updated_at: Timestamp,
    } refers {
        family_id: FamilyId => "family" unkeyed,
    } becomes Profile {}
}

// The columns of a user that other members see.
stored_fields! {
    Person {
        id: UserId,
        name: String,
        image: Option<String>,
        color: Option<String>,
        emoji: Option<String>,
    } with {}
}

/// A user's password in an import. A storage stores only hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Password {
    /// The user has no password and cannot sign in with one.
    #[default]
    None,
    /// The plain password from the file. It must be hashed before it is stored.
    Plain(PlainPassword),
    /// A hash, ready to be stored. In the file: an object with the field `hash`.
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

    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// Writes the hash of a password. A plain password is never written.
impl Serialize for Password {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let hash = self.hash().map_err(serde::ser::Error::custom)?;
        hash.map(|hash| HashField { hash: hash.expose().to_owned() }).serialize(output)
    }
}

/// The form of a hashed password in an import.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HashField {
    hash: String,
}

/// Implemented manually: an error of the derived implementation would quote the value.
impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(input)? {
            serde_json::Value::Null => Ok(Self::None),
            serde_json::Value::String(password) if !password.is_empty() => Ok(Self::Plain(PlainPassword(password))),
            hash @ serde_json::Value::Object(_) => match serde_json::from_value(hash) {
                Ok(HashField { hash }) => Ok(Self::Hashed(PasswordHash::new(hash))),
                Err(_) => Err(D::Error::custom("expected the field hash")),
            },
            _ => Err(D::Error::custom("expected a non-empty string, a hash or null")),
        }
    }
}

/// A plain-text password: redacted in `Debug`, zeroed on drop.
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

record! {
    /// An integration key, identified by its digest.
    KeyRecord: "key" in "integration_keys" {
        /// Identifier of the key.
        id: KeyId,
        /// The name that the owner gave the key.
        name: Option<String>,
        /// The prefix and the last four characters of the token.
        hint: String,
        /// What the key may do. Unknown scopes are kept.
        scopes: ScopeSet,
        /// When the key was created.
        created_at: Timestamp,
        /// When the key expires; `None` if it does not expire. A line must say so with `null`.
        #[serde(deserialize_with = "present")]
        expires_at: Option<Timestamp>,
    } stores {
        /// The owner of the key.
        user_id: UserId,
        /// The SHA-256 of the whole token. In the file: 64 hexadecimal digits.
        #[serde(rename = "tokenHash", deserialize_with = "digest", serialize_with = "serialize_digest")]
        digest: KeyDigest,
        /// When the key was revoked; `None` if it is not. A line must say so with `null`.
        #[serde(deserialize_with = "present")]
        revoked_at: Option<Timestamp>,
    } refers {
        user_id: UserId => "user" unkeyed,
    } becomes IntegrationKey {
        mode: KeyMode::from_scopes(&scopes),
        last_used_at: None,
    }
}

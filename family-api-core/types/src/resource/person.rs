//! A user in a record, such as an assignee or an author.

use serde::{Deserialize, Serialize};

use crate::id::UserId;
use crate::resource::Profile;

/// A member of the family, as other members see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// Identifier of the user.
    pub id: UserId,
    /// Display name.
    pub name: String,
    /// Address of a picture; null if there is none.
    pub image: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
}

impl Person {
    /// Creates a person without a picture, colour and emoji.
    #[must_use]
    pub fn new(id: UserId, name: impl Into<String>) -> Self {
        Self { id, name: name.into(), image: None, color: None, emoji: None }
    }
}

/// Copies the fields that other members see.
impl From<&Profile> for Person {
    fn from(profile: &Profile) -> Self {
        Self {
            id: profile.id.clone(),
            name: profile.name.clone(),
            image: profile.image.clone(),
            color: profile.color.clone(),
            emoji: profile.emoji.clone(),
        }
    }
}

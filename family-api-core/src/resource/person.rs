//! Who a record speaks of.

use serde::{Deserialize, Serialize};

use crate::id::UserId;
use crate::resource::Profile;

/// A member of the family, as other members see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Person {
    pub id: UserId,
    pub name: String,
    pub image: Option<String>,
    pub color: Option<String>,
    pub emoji: Option<String>,
}

/// What other members see of a user.
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

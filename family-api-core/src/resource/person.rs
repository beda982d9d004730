//! Who a record speaks of.

use serde::{Deserialize, Serialize};

use crate::id::UserId;

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

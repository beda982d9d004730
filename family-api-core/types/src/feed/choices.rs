//! What a feed can be limited to.

use serde::{Deserialize, Serialize};

use crate::id::BoardId;
use crate::resource::Person;

/// What a feed of the user can be limited to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FeedChoices {
    /// The members of the family, ordered by id.
    pub persons: Vec<Person>,
    /// The boards that the user sees, in their order. Empty if the app keeps no tasks.
    pub boards: Vec<FeedBoard>,
}

impl FeedChoices {
    /// Creates the choices.
    #[must_use]
    pub fn new(persons: Vec<Person>, boards: Vec<FeedBoard>) -> Self {
        Self { persons, boards }
    }
}

/// A board whose tasks a feed can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FeedBoard {
    /// Identifier of the board.
    pub id: BoardId,
    /// Display name.
    pub name: String,
}

impl FeedBoard {
    /// Creates a board.
    #[must_use]
    pub fn new(id: BoardId, name: impl Into<String>) -> Self {
        Self { id, name: name.into() }
    }
}

//! Integration keys, their scopes and modes, and the format of tokens (HTTP reference, "Token format").

mod environment;

pub use crate::token::{InvalidPrefix, KeyDigest, KeyPrefix, KeySecret, RandomnessUnavailable};
pub use environment::{EnvironmentTokens, InvalidEnvironmentToken};
pub use family_api_types::key::*;

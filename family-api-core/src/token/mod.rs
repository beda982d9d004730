//! What the tokens of keys and of grants share: a prefix, 32 bytes with a checksum, and the digest, which is stored
//! instead of the token.

mod digest;
mod prefix;
mod secret;

pub use digest::KeyDigest;
pub use secret::{InvalidPrefix, KeyPrefix, KeySecret, RandomnessUnavailable};

pub(crate) use prefix::{ACCESS, CODE, FEED, REFRESH, has_reserved_prefix};

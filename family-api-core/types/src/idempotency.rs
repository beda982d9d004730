//! Keys that make the creation of a record safe to repeat (HTTP reference, "Repeating a creation").

use std::fmt;
use std::str::FromStr;

/// Maximum length of an idempotency key, in bytes.
const MAX_LENGTH: usize = 255;

/// The value of an `Idempotency-Key` header: 1–255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

/// The value is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to 255 visible ASCII characters")]
pub struct InvalidIdempotencyKey;

impl IdempotencyKey {
    /// Returns the key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = InvalidIdempotencyKey;

    fn from_str(text: &str) -> Result<Self, InvalidIdempotencyKey> {
        let is_key = (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key { Ok(Self(text.to_owned())) } else { Err(InvalidIdempotencyKey) }
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_visible_ascii_of_limited_length() {
        for good in ["a", "!~", &"x".repeat(255)] {
            assert_eq!(good.parse::<IdempotencyKey>().unwrap().as_str(), good);
        }
        for bad in ["", " ", "a b", "é", "a\0", "a\u{7f}", &"x".repeat(256)] {
            assert_eq!(bad.parse::<IdempotencyKey>(), Err(InvalidIdempotencyKey), "{bad:?}");
        }
    }
}

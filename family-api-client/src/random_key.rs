//! Random idempotency keys.

use family_api_types::idempotency::IdempotencyKey;

/// Returns a random key of 128 bits. `None` if the operating system has no random numbers: the creation is then sent
/// without a key, and is not retried if it may have taken effect.
pub(crate) fn random_key() -> Option<IdempotencyKey> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    format!("{:032x}", u128::from_ne_bytes(bytes)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_another_one() {
        let key = random_key().unwrap();
        assert_eq!(key.as_str().len(), 32);
        assert_ne!(random_key().unwrap(), key);
    }
}

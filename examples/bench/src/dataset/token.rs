//! Tokens of the generated keys. The import file contains only their hashes.

use sha2::{Digest, Sha256};

/// Returns the token of a member. Its checksum is valid, so the server looks the token up like a real one.
pub(crate) fn token(family: u32, member: u16) -> String {
    let mut payload = Sha256::digest(format!("family-api-bench {family} {member}")).to_vec();
    let checksum = Sha256::digest(Sha256::digest(&payload));
    payload.extend_from_slice(&checksum[..4]);
    format!("fam_{}", bs58::encode(payload).into_string())
}

#[cfg(test)]
mod tests {
    use family_api_core::key::KeyPrefix;

    use super::*;

    #[test]
    fn a_token_has_a_valid_checksum() {
        assert!(KeyPrefix::default().accepts(&token(7, 1)));
        assert_ne!(token(7, 1), token(7, 0));
    }
}

//! HMAC-SHA-256 with a key of 32 bytes and a purpose.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// Begins the HMAC of a message for a purpose. The purpose ends at the first zero byte, so that no two pairs of purpose
/// and message have the same HMAC.
pub(super) fn keyed_hmac(key: &[u8; 32], purpose: &str) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to the size of a block.
    let mut block = Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    Hmac::<Sha256>::new((&*block).into()).chain_update(purpose).chain_update([0])
}

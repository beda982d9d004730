//! Signed texts: values that the server sends out and recognises as its own when they return.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::grant::keyed_hmac::keyed_hmac;

/// Maximum length of a signed text, in bytes.
const MAX_SIGNED_BYTES: usize = 8 * 1_024;

/// A key for HMAC-SHA-256, which all nodes share. `Debug` redacts it.
#[derive(Clone)]
pub struct SigningKey(Arc<Zeroizing<[u8; 32]>>);

impl SigningKey {
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self(Arc::new(Zeroizing::new(bytes)))
    }

    /// Signs a payload. The payload is encoded, not encrypted: it must contain no secret.
    ///
    /// A text that was signed for one purpose does not verify for another. A payload of more than 6,000 bytes does not
    /// verify at all.
    #[must_use]
    pub fn sign(&self, purpose: &'static str, payload: &[u8]) -> String {
        let signature = self.mac(purpose, payload).finalize().into_bytes();
        format!("{}.{}", URL_SAFE_NO_PAD.encode(payload), URL_SAFE_NO_PAD.encode(signature))
    }

    /// Returns the payload of a signed text, or `None` if this key did not sign the text for this purpose or the text
    /// is longer than 8 KiB. Compares the signature in constant time.
    #[must_use]
    pub fn verify(&self, purpose: &'static str, text: &str) -> Option<Vec<u8>> {
        let (payload, signature) = Some(text).filter(|text| text.len() <= MAX_SIGNED_BYTES)?.split_once('.')?;
        let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(purpose, &payload).verify_slice(&signature).ok().map(|()| payload)
    }

    fn mac(&self, purpose: &str, payload: &[u8]) -> Hmac<Sha256> {
        keyed_hmac(&self.0, purpose).chain_update(payload)
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_and_the_purpose_of_a_signature_verify_it() {
        let (key, other) = (SigningKey::new([1; 32]), SigningKey::new([2; 32]));
        let signed = key.sign("consent", b"payload");
        assert_eq!(key.verify("consent", &signed).as_deref(), Some(&b"payload"[..]));
        assert_eq!(key.clone().verify("client", &signed), None);
        assert_eq!(other.verify("consent", &signed), None);
        assert_eq!(format!("{key:?}"), "SigningKey([redacted])");
    }

    #[test]
    fn a_changed_or_long_text_does_not_verify() {
        let key = SigningKey::new([1; 32]);
        let signed = key.sign("consent", b"payload");
        for at in 0..signed.len() {
            let mut changed = signed.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(key.verify("consent", std::str::from_utf8(&changed).unwrap()), None, "changed at {at}");
        }
        for bad in ["", ".", "a", "a.b", &signed[..signed.len() - 1], &format!("{signed}=")] {
            assert_eq!(key.verify("consent", bad), None, "{bad:?}");
        }
        assert!(key.verify("consent", &key.sign("consent", &[0; 6_000])).is_some());
        assert_eq!(key.verify("consent", &key.sign("consent", &[0; 6_200])), None);
    }

    #[test]
    fn the_signature_is_the_hmac_of_an_independent_implementation() {
        // Python: hmac.new(bytes([1] * 32), b"p\0x", "sha256")
        let signed = SigningKey::new([1; 32]).sign("p", b"x");
        assert_eq!(signed, "eA.tsqxK8yeA_Z-ZAX6tfnmewUhyPDTygZopRo8WC6fctY");
    }
}

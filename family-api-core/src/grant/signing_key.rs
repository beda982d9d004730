//! Sealed texts: values that the server sends out and recognises as its own when they return.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::grant::keyed_hmac::keyed_hmac;

/// Maximum length of a sealed text, in bytes.
const MAX_SEALED_BYTES: usize = 8 * 1_024;

/// A key for HMAC-SHA-256, which all nodes share. `Debug` redacts it.
#[derive(Clone)]
pub struct SigningKey(Arc<Zeroizing<[u8; 32]>>);

impl SigningKey {
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self(Arc::new(Zeroizing::new(bytes)))
    }

    /// Signs a payload. The payload is encoded, not encrypted: it must contain no secret.
    ///
    /// A text that was sealed for one purpose does not open for another. A payload of more than 6,000 bytes does not
    /// open at all.
    #[must_use]
    pub fn seal(&self, purpose: &'static str, payload: &[u8]) -> String {
        let signature = self.mac(purpose, payload).finalize().into_bytes();
        format!("{}.{}", URL_SAFE_NO_PAD.encode(payload), URL_SAFE_NO_PAD.encode(signature))
    }

    /// Returns the payload of a sealed text, or `None` if this key did not sign the text for this purpose or the text
    /// is longer than 8 KiB. Compares the signature in constant time.
    #[must_use]
    pub fn open(&self, purpose: &'static str, text: &str) -> Option<Vec<u8>> {
        let (payload, signature) = Some(text).filter(|text| text.len() <= MAX_SEALED_BYTES)?.split_once('.')?;
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
    fn only_the_key_and_the_purpose_of_a_seal_open_it() {
        let (key, other) = (SigningKey::new([1; 32]), SigningKey::new([2; 32]));
        let sealed = key.seal("consent", b"payload");
        assert_eq!(key.open("consent", &sealed).as_deref(), Some(&b"payload"[..]));
        assert_eq!(key.clone().open("client", &sealed), None);
        assert_eq!(other.open("consent", &sealed), None);
        assert_eq!(format!("{key:?}"), "SigningKey([redacted])");
    }

    #[test]
    fn a_changed_or_long_text_does_not_open() {
        let key = SigningKey::new([1; 32]);
        let sealed = key.seal("consent", b"payload");
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(key.open("consent", std::str::from_utf8(&changed).unwrap()), None, "changed at {at}");
        }
        for bad in ["", ".", "a", "a.b", &sealed[..sealed.len() - 1], &format!("{sealed}=")] {
            assert_eq!(key.open("consent", bad), None, "{bad:?}");
        }
        assert!(key.open("consent", &key.seal("consent", &[0; 6_000])).is_some());
        assert_eq!(key.open("consent", &key.seal("consent", &[0; 6_200])), None);
    }

    #[test]
    fn the_signature_is_the_hmac_of_an_independent_implementation() {
        // Python: hmac.new(bytes([1] * 32), b"p\0x", "sha256")
        let sealed = SigningKey::new([1; 32]).seal("p", b"x");
        assert_eq!(sealed, "eA.tsqxK8yeA_Z-ZAX6tfnmewUhyPDTygZopRo8WC6fctY");
    }
}

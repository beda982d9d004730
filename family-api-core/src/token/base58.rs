//! Decodes the base58 of a token.

use zeroize::Zeroizing;

use crate::token::secret::TOKEN_BYTES;

/// The digits of base58 in the order of their values, without `0`, `O`, `I` and `l`.
const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The value of each byte as a digit, or [`NO_DIGIT`].
const VALUES: [u8; 256] = values();
const NO_DIGIT: u8 = u8::MAX;

/// Number of digits that are decoded at once. Their value fits into 32 bits.
const DIGITS_AT_ONCE: usize = 5;

/// Decodes a text that encodes exactly [`TOKEN_BYTES`] bytes. Returns `None` for any other text.
///
/// Every request with a token calls it. `bs58` decodes digit by digit into bytes, which is ten times as slow as five
/// digits into words of 32 bits.
pub(super) fn decode(text: &str) -> Option<Zeroizing<[u8; TOKEN_BYTES]>> {
    // The last word comes first.
    let mut words = Zeroizing::new([0_u64; TOKEN_BYTES / 4]);
    for digits in text.as_bytes().chunks(DIGITS_AT_ONCE) {
        let (mut factor, mut carry) = (1, 0);
        for digit in digits {
            let value = VALUES[usize::from(*digit)];
            if value == NO_DIGIT {
                return None;
            }
            factor *= 58;
            carry = carry * 58 + u64::from(value);
        }
        for word in words.iter_mut() {
            carry += *word * factor;
            *word = carry & u64::from(u32::MAX);
            carry >>= 32;
        }
        if carry > 0 {
            return None;
        }
    }
    let mut bytes = Zeroizing::new([0; TOKEN_BYTES]);
    for (to, word) in bytes.chunks_exact_mut(4).zip(words.iter().rev()) {
        to.copy_from_slice(&word.to_be_bytes()[4..]);
    }
    // Each zero byte at the beginning is written as the digit 0.
    let zero_digits = text.bytes().take_while(|digit| *digit == DIGITS[0]).count();
    let zero_bytes = bytes.iter().take_while(|byte| **byte == 0).count();
    (zero_digits == zero_bytes).then_some(bytes)
}

const fn values() -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while (value as usize) < DIGITS.len() {
        values[DIGITS[value as usize] as usize] = value;
        value += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Decodes with the library.
    fn decode_slowly(text: &str) -> Option<Vec<u8>> {
        bs58::decode(text).into_vec().ok().filter(|bytes| bytes.len() == TOKEN_BYTES)
    }

    fn assert_decoded(text: &str) {
        assert_eq!(decode(text).map(|bytes| bytes.to_vec()), decode_slowly(text), "{text:?}");
    }

    proptest! {
        #[test]
        fn the_library_decodes_the_same(mut bytes in vec(any::<u8>(), TOKEN_BYTES), zeros in 0..=TOKEN_BYTES) {
            bytes[..zeros].fill(0);
            let text = bs58::encode(&bytes).into_string();
            let decoded = decode(&text).unwrap();
            prop_assert_eq!(decoded.as_slice(), bytes.as_slice());
            for other in [format!("1{text}"), format!("{text}2"), text[1..].to_owned(), text.replace('z', "0")] {
                assert_decoded(&other);
            }
        }
    }

    #[test]
    fn texts_of_other_lengths_or_with_other_characters_are_refused() {
        let largest = bs58::encode([u8::MAX; TOKEN_BYTES]).into_string();
        assert!(decode(&largest).is_some());
        for text in ["", "1", "é", &"1".repeat(500), &"z".repeat(500), &"z".repeat(largest.len()), &largest[1..]] {
            assert_decoded(text);
        }
        for excluded in ["0", "O", "I", "l", " ", "\u{80}"] {
            assert_eq!(decode(&largest.replacen(&largest[..1], excluded, 1)), None);
        }
    }
}

//! Generates text that storages are likely to handle incorrectly.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Case pairs, combining marks, characters whose order depends on the collation, and characters that need escapes.
const CHARACTERS: &str = "aAbäÄßẞe\u{301}éİıÅ\u{212b}01٣-_% \"'\\/{,\t\n\r\u{1}\u{1f}\u{7f}\u{85}\
    \u{200d}\u{2028}\u{feff}\u{ffff}\u{10000}😀";

/// Text that looks like JSON, a number or an escape, and text that resembles another word, such as `a`, `A` and `a `.
const WORDS: [&str; 19] = [
    "", "a", "A", "a ", " a", "ss", "ß", "null", "NULL", "true", "0", "00", "-0", "1.0", "1e3", "[]", "{}", "\\u0000",
    "\\x41",
];

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        select(&WORDS[..]).prop_map(str::to_owned),
        vec(select(CHARACTERS.chars().collect::<Vec<_>>()), 0..6).prop_map(String::from_iter),
    ]
}

/// Generates labels or tags.
pub(super) fn words() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..4)
}

/// Generates e-mail addresses. Storages compare addresses in lower case (A to Z), without another normalization.
pub(super) fn email() -> impl Strategy<Value = String> {
    let addresses = ["a@x", "A@x", "a@X", "ä@x", "Ä@x", "a\u{308}@x", "ß@x", "ss@x", "a@x ", "😀@x"];
    select(addresses.to_vec()).prop_map(str::to_owned)
}

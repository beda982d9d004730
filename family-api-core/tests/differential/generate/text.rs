//! Text that storages may stumble over.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Case pairs, combining marks, what other orders than that of code points put elsewhere, and what is escaped somewhere.
const CHARACTERS: [char; 40] = [
    'a',
    'A',
    'b',
    'ä',
    'Ä',
    'ß',
    'ẞ',
    'e',
    '\u{301}',
    'é',
    'İ',
    'ı',
    'Å',
    '\u{212b}',
    '0',
    '1',
    '٣',
    '-',
    '_',
    '%',
    ' ',
    '"',
    '\'',
    '\\',
    '/',
    '{',
    ',',
    '\t',
    '\n',
    '\r',
    '\u{1}',
    '\u{1f}',
    '\u{7f}',
    '\u{85}',
    '\u{2028}',
    '\u{200d}',
    '\u{feff}',
    '\u{ffff}',
    '\u{10000}',
    '😀',
];

/// Text that looks like something else, or like other text.
const WORDS: [&str; 20] = [
    "",
    "a",
    "A",
    "a ",
    " a",
    "ss",
    "ß",
    "null",
    "NULL",
    "true",
    "0",
    "00",
    "-0",
    "1.0",
    "1e3",
    "[]",
    "{}",
    "\\u0000",
    "\\x41",
    "👩\u{200d}👩\u{200d}👧",
];

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        select(&WORDS[..]).prop_map(str::to_owned),
        vec(select(&CHARACTERS[..]), 0..6).prop_map(|characters| characters.into_iter().collect()),
    ]
}

/// Labels and tags.
pub(super) fn words() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..4)
}

/// Addresses, which are compared as they stand.
pub(super) fn email() -> impl Strategy<Value = String> {
    let addresses = ["a@x", "A@x", "a@X", "ä@x", "Ä@x", "a\u{308}@x", "ß@x", "ss@x", "a@x ", "😀@x"];
    select(addresses.to_vec()).prop_map(str::to_owned)
}

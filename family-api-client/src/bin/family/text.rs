//! What people wrote, on its way to a terminal: texts are data, and steer nothing.

/// Whether a character does something to a terminal rather than show in it.
pub(crate) fn steers_a_terminal(letter: char) -> bool {
    // The latter reorder what stands beside them.
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text on one line; what would steer a terminal is shown as Rust and JavaScript write it, `\u{1b}`.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, letter| {
        match letter {
            '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push(' '),
            _ if steers_a_terminal(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
        shown
    })
}

/// The beginning of a text, for a cell.
pub(crate) fn beginning(text: &str) -> String {
    const LENGTH: usize = 60;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_and_lines_are_joined() {
        assert_eq!(harmless("\u{1b}]0;x\u{7}\u{9b}2J"), "\\u{1b}]0;x\\u{7}\\u{9b}2J");
        assert_eq!(harmless("a\r\nb\tc\u{2028}d"), "a  b c d");
        assert_eq!(harmless("\u{202e}abc\u{2066}"), "\\u{202e}abc\\u{2066}");
        assert_eq!(harmless("👩‍👧 Київ 日本"), "👩‍👧 Київ 日本");
    }

    #[test]
    fn a_long_text_is_cut_and_a_short_one_is_not() {
        assert_eq!(beginning(" a \n b "), "a b");
        assert_eq!(beginning(&"é".repeat(60)), "é".repeat(60));
        assert_eq!(beginning(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    }
}

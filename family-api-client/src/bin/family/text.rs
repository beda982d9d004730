//! Makes untrusted text safe for a terminal.

/// Returns whether a character can control the terminal or reorder text.
pub(crate) fn is_terminal_control(letter: char) -> bool {
    // The two ranges are bidirectional controls, which reorder the text around them (UAX #9).
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the text on one line, with control characters escaped as in Rust and JavaScript: `\u{1b}`.
pub(crate) fn escape_controls(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, letter| {
        match letter {
            '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push(' '),
            _ if is_terminal_control(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
        shown
    })
}

/// Returns the text on one line for a table cell: at most 60 characters, then `…` if the text is longer.
pub(crate) fn truncate(text: &str) -> String {
    const MAX_CHARACTERS: usize = 60;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_lines_are_joined() {
        assert_eq!(escape_controls("\u{1b}]0;x\u{7}\u{9b}2J"), "\\u{1b}]0;x\\u{7}\\u{9b}2J");
        assert_eq!(escape_controls("a\r\nb\tc\u{2028}d"), "a  b c d");
        assert_eq!(escape_controls("\u{202e}abc\u{2066}"), "\\u{202e}abc\\u{2066}");
        assert_eq!(escape_controls("👩‍👧 Київ 日本"), "👩‍👧 Київ 日本");
    }

    #[test]
    fn only_a_long_text_is_truncated() {
        assert_eq!(truncate(" a \n b "), "a b");
        assert_eq!(truncate(&"é".repeat(60)), "é".repeat(60));
        assert_eq!(truncate(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    }
}

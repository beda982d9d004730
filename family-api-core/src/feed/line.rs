//! Lines of iCalendar: at most 75 bytes each, with CRLF (RFC 5545, section 3.1).

use std::borrow::Cow;

/// The maximum number of bytes of a line, without its end.
const MAX_LINE: usize = 75;

/// The lines of a document.
#[derive(Debug)]
pub(super) struct Lines(String);

impl Lines {
    /// Reserves memory for a number of bytes.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Adds a line. The name may have parameters. The value is in the form of its type.
    pub(super) fn add(&mut self, name: &str, value: &str) {
        self.add_parts([name, ":", value]);
    }

    /// Adds a line from its parts: the name, a colon and the value.
    pub(super) fn add_parts<const N: usize>(&mut self, parts: [&str; N]) {
        let mut room = MAX_LINE;
        for part in parts {
            let mut rest = part;
            while rest.len() > room {
                let (fitting, longer) = rest.split_at(rest.floor_char_boundary(room));
                self.0.push_str(fitting);
                self.0.push_str("\r\n ");
                (rest, room) = (longer, MAX_LINE - 1);
            }
            self.0.push_str(rest);
            room -= rest.len();
        }
        self.0.push_str("\r\n");
    }

    /// Adds a line with a text, which is escaped (section 3.3.11).
    pub(super) fn add_text(&mut self, name: &str, text: &str) {
        self.add(name, &escaped(text));
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Escapes a text. Removes control characters, except for tabs. Some programs take the separators of Unicode for the ends
/// of lines, so they become line breaks.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    // Reads all bytes, because a loop without an early end compares many bytes at once.
    if text.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        return Cow::Borrowed(text);
    }
    let mut output = String::with_capacity(text.len());
    let mut previous = ' ';
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => output.extend(['\\', character]),
            '\n' if previous == '\r' => {}
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => output.push_str("\\n"),
            '\t' => output.push(character),
            _ if character.is_control() => {}
            _ => output.push(character),
        }
        previous = character;
    }
    Cow::Owned(output)
}

/// Returns whether a byte is part of no character that [`escaped`] replaces or removes. Those beyond ASCII begin with 0xc2
/// or 0xe2.
#[expect(clippy::needless_bitwise_bool, reason = "a branch for each byte prevents that many are compared at once")]
fn is_plain(byte: u8) -> bool {
    let is_separator = (byte == b'\\') | (byte == b';') | (byte == b',');
    let is_control = (byte < b' ') & (byte != b'\t') | (byte == 0x7f);
    !(is_separator | is_control | (byte == 0xc2) | (byte == 0xe2))
}

/// Returns an upper bound of the size of an escaped text.
pub(super) fn escaped_bytes(text: &str) -> usize {
    let is_longer = |byte: &u8| matches!(byte, b'\\' | b';' | b',' | b'\n' | b'\r');
    text.len() + text.bytes().filter(is_longer).count()
}

/// Returns an upper bound of the size of a line with its end, of which the name and the value have some bytes.
pub(super) fn line_bytes(content: usize) -> usize {
    // A character has at most four bytes, and a line that continues begins with a space.
    let fewest = MAX_LINE - 4;
    content + content / fewest * "\r\n ".len() + "\r\n".len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_and_line_breaks_are_escaped_and_controls_removed() {
        let text = "a\\b;c,d\r\ne\nf\rg\u{2028}h\u{0}\u{7}\u{85}\u{7f}i\tj:\"k\"";
        assert_eq!(escaped(text), "a\\\\b\\;c\\,d\\ne\\nf\\ng\\nhi\tj:\"k\"");
        assert!(escaped_bytes(text) >= escaped(text).len());
    }

    #[test]
    fn a_text_is_escaped_like_each_of_its_characters() {
        // With the letter before it, no line break follows another one.
        let all = (0..=0x2_0ff).chain([0x1f3b9]).filter_map(char::from_u32);
        for character in all {
            let removed = character.is_control() && !matches!(character, '\t' | '\n' | '\r');
            let expected = match character {
                '\\' | ';' | ',' => format!("x\\{character}"),
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => "x\\n".to_owned(),
                _ if removed => "x".to_owned(),
                _ => format!("x{character}"),
            };
            assert_eq!(escaped(&format!("x{character}")), expected, "{:?}", u32::from(character));
        }
    }

    #[test]
    fn a_line_has_75_bytes_and_whole_characters() {
        for character in ["x", "ї", "€", "🎹"] {
            for shift in 0..4 {
                let text = format!("{}{}", "-".repeat(shift), character.repeat(200));
                let mut lines = Lines::with_capacity(0);
                lines.add_text("SUMMARY", &text);
                let written = String::from_utf8(lines.into_bytes()).unwrap();
                let written = written.strip_suffix("\r\n").unwrap();
                let folded: Vec<_> = written.split("\r\n").collect();
                assert!(folded.iter().all(|line| line.len() <= 75), "{written}");
                // No line has room for another character.
                assert!(folded.iter().rev().skip(1).all(|line| line.len() + character.len() > 75), "{written}");
                assert_eq!(written.replace("\r\n ", ""), format!("SUMMARY:{text}"));
                let most = line_bytes("SUMMARY:".len() + escaped_bytes(&text));
                assert!((written.len() + 2..written.len() + 16).contains(&most), "{} {most}", written.len());
            }
        }
    }
}

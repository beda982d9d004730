//! The name that a client claims.

/// Maximum length of a name, in characters.
const MAX_CHARACTERS: usize = 100;

/// Returns a name without characters that are invisible or change the direction of text. Each run of white space
/// becomes one space. Cuts off a name after 100 characters. Returns `None` if nothing remains.
#[must_use]
pub fn clean_name(name: &str) -> Option<String> {
    let visible: String = name
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .filter(|character| !character.is_control() && !is_invisible(*character))
        .collect();
    let words: Vec<&str> = visible.split(' ').filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(MAX_CHARACTERS).collect();
    let name = name.trim_end();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns whether a character is a format character: a bidirectional control, a zero-width character, a tag or another
/// one that has no shape of its own.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_and_direction_characters_are_removed() {
        for (name, clean) in [
            ("Claude", "Claude"),
            ("  Claude \t\n Desktop\u{2028}", "Claude Desktop"),
            ("evil\u{202e}edualC", "eviledualC"),
            ("\u{2066}a\u{2069}\u{200e}b\u{200f}\u{61c}", "ab"),
            ("C\u{200b}l\u{200c}a\u{200d}u\u{2060}d\u{feff}e\u{ad}", "Claude"),
            ("a\0b\u{7f}c\u{85}", "abc"),
            ("\u{e0041}tag", "tag"),
            ("<b>Café · דוגמה</b>", "<b>Café · דוגמה</b>"),
        ] {
            assert_eq!(clean_name(name).as_deref(), Some(clean), "{name:?}");
        }
    }

    #[test]
    fn empty_name_is_none_and_long_name_is_cut() {
        for name in ["", " ", "\u{200b}\n", "\u{202e}"] {
            assert_eq!(clean_name(name), None, "{name:?}");
        }
        let long = "é".repeat(101);
        assert_eq!(clean_name(&long).unwrap(), "é".repeat(100));
        let cut_at_space = format!("{} b", "a".repeat(99));
        assert_eq!(clean_name(&cut_at_space).unwrap(), "a".repeat(99));
    }
}

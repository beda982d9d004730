//! What the family wrote, as words of a summary.

use family_api_client::resource::Person;

/// A text on one line, without characters that steer a terminal or turn round what stands beside them.
pub(crate) fn plain(text: &str) -> String {
    let text = text.replace(is_bidi_control, "");
    text.split(char::is_control).flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The embeddings, overrides and isolates of UAX #9.
fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text that may be missing; one in which nothing is to be seen is.
pub(crate) fn present(text: Option<&str>) -> Option<String> {
    text.map(plain).filter(|text| !text.is_empty())
}

/// A title with the emoji that stands before it.
pub(crate) fn titled(emoji: Option<&str>, title: &str) -> String {
    plain(&[emoji.unwrap_or_default(), title].join(" "))
}

/// ` (Olena)`, where there is somebody.
pub(crate) fn who(person: Option<&Person>) -> String {
    let name = present(person.map(|person| person.name.as_str()));
    name.map(|name| format!(" ({name})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_blanks() {
        assert_eq!(plain(" a\u{1b}[31m\nb\u{9b}c  d "), "a [31m b c d");
        assert_eq!(titled(Some("🎹"), "Piano"), "🎹 Piano");
        assert_eq!(titled(None, "Piano"), "Piano");
    }

    #[test]
    fn nothing_turns_the_line_round() {
        assert_eq!(plain("a\u{202e}b \u{2066}c\u{2069}\u{202a}"), "ab c");
        // Letters that are written from right to left are letters.
        assert_eq!(plain("שלום"), "שלום");
    }

    #[test]
    fn where_nothing_is_to_be_seen_nothing_is_there() {
        for nothing in [None, Some(""), Some(" \n"), Some("\u{202e}")] {
            assert_eq!(present(nothing), None, "{nothing:?}");
        }
        assert_eq!(present(Some(" 2 l")).as_deref(), Some("2 l"));
        let nameless = Person { id: "s".parse().unwrap(), name: " ".to_owned(), image: None, color: None, emoji: None };
        assert_eq!(who(Some(&nameless)), "");
    }
}

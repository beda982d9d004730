//! Removes control characters from the family's texts, so that the texts cannot control the terminal.

use family_api_client::resource::Person;

/// Returns the text on one line, without control characters and bidirectional formatting.
pub(crate) fn sanitize(text: &str) -> String {
    let text = text.replace(is_bidi_control, "");
    text.split(char::is_control).flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Returns whether the character is a bidirectional embedding, override or isolate (UAX #9).
fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the sanitized text, or `None` if the text is missing or has no visible characters.
pub(crate) fn non_empty(text: Option<&str>) -> Option<String> {
    text.map(sanitize).filter(|text| !text.is_empty())
}

/// Returns a title with its emoji in front.
pub(crate) fn with_emoji(emoji: Option<&str>, title: &str) -> String {
    sanitize(&[emoji.unwrap_or_default(), title].join(" "))
}

/// Returns the name of a person in parentheses, for example ` (Olena)`, or an empty text without a person.
pub(crate) fn person_suffix(person: Option<&Person>) -> String {
    let name = non_empty(person.map(|person| person.name.as_str()));
    name.map(|name| format!(" ({name})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_spaces() {
        assert_eq!(sanitize(" a\u{1b}[31m\nb\u{9b}c  d "), "a [31m b c d");
        assert_eq!(with_emoji(Some("🎹"), "Piano"), "🎹 Piano");
        assert_eq!(with_emoji(None, "Piano"), "Piano");
    }

    #[test]
    fn bidirectional_formatting_is_removed() {
        assert_eq!(sanitize("a\u{202e}b \u{2066}c\u{2069}\u{202a}"), "ab c");
        // Right-to-left letters are not formatting characters.
        assert_eq!(sanitize("שלום"), "שלום");
    }

    #[test]
    fn invisible_text_counts_as_missing() {
        for nothing in [None, Some(""), Some(" \n"), Some("\u{202e}")] {
            assert_eq!(non_empty(nothing), None, "{nothing:?}");
        }
        assert_eq!(non_empty(Some(" 2 l")).as_deref(), Some("2 l"));
        let nameless = Person { id: "s".parse().unwrap(), name: " ".to_owned(), image: None, color: None, emoji: None };
        assert_eq!(person_suffix(Some(&nameless)), "");
    }
}

//! What the family wrote, as words of a summary.

use family_api_client::resource::Person;

/// A text on one line, without characters that steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.split(char::is_control).flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// A title with the emoji that stands before it.
pub(crate) fn titled(emoji: Option<&str>, title: &str) -> String {
    plain(&[emoji.unwrap_or_default(), title].join(" "))
}

/// ` (Olena)`, where there is somebody.
pub(crate) fn who(person: Option<&Person>) -> String {
    person.map(|person| format!(" ({})", plain(&person.name))).unwrap_or_default()
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
}

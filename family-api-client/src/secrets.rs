//! Redaction of secrets in text that a server sends back.

/// The minimum length of a redacted value in bytes. Shorter values are usually plain words that occur in ordinary text.
const MIN_LENGTH: usize = 6;
const REDACTED: &str = "[redacted]";

/// The secrets that one call sends.
pub(crate) struct Secrets<'a>(Vec<&'a str>);

impl<'a> Secrets<'a> {
    pub(crate) fn new(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        Self(secrets.into_iter().filter(|secret| secret.len() >= MIN_LENGTH).collect())
    }

    /// Adds secrets that are redacted even if they are short, such as a password.
    pub(crate) fn with_short(mut self, secrets: impl IntoIterator<Item = &'a str>) -> Self {
        self.0.extend(secrets.into_iter().filter(|secret| !secret.is_empty()));
        self
    }

    /// Replaces every secret in the text. If the text was truncated inside a secret, also replaces the first part of
    /// that secret.
    pub(crate) fn redact(&self, text: &str) -> String {
        let text = self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED));
        let truncated = self.0.iter().filter_map(|secret| prefix_length_at_end(&text, secret)).max();
        match truncated {
            Some(length) => [&text[..text.len() - length], REDACTED].concat(),
            None => text,
        }
    }
}

/// Returns the length of the longest prefix of the secret that the text ends with, if it has at least [`MIN_LENGTH`]
/// bytes.
fn prefix_length_at_end(text: &str, secret: &str) -> Option<usize> {
    let lengths = (MIN_LENGTH..secret.len()).rev();
    lengths.filter(|length| secret.is_char_boundary(*length)).find(|length| text.ends_with(&secret[..*length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_and_truncated_secrets_are_redacted_but_not_short_words() {
        let secrets = Secrets::new(["canary-token", "s", "пароль-é"]).with_short(["pw#", ""]);
        for (text, shown) in [
            ("Bearer canary-token, canary-token.", "Bearer [redacted], [redacted]."),
            ("cut off: canary-tok", "cut off: [redacted]"),
            ("cut off: canar", "cut off: canar"),
            ("canary-tok goes on", "canary-tok goes on"),
            ("пароль-é is this", "[redacted] is this"),
            ("nothing", "nothing"),
            ("p pw# w", "p [redacted] w"),
        ] {
            assert_eq!(secrets.redact(text), shown);
        }
    }
}

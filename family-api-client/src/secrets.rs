//! What no text of somebody else's may repeat.

/// What is shorter is a name rather than a secret, and part of many words.
const SHORTEST: usize = 6;
const REDACTED: &str = "[redacted]";

/// The secrets that a call carries.
pub(crate) struct Secrets<'a>(Vec<&'a str>);

impl<'a> Secrets<'a> {
    pub(crate) fn new(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        Self(secrets.into_iter().filter(|secret| secret.len() >= SHORTEST).collect())
    }

    /// Those that are secrets however short they are.
    pub(crate) fn and(mut self, secrets: impl IntoIterator<Item = &'a str>) -> Self {
        self.0.extend(secrets.into_iter().filter(|secret| !secret.is_empty()));
        self
    }

    /// Takes the secrets out of a text, and the beginning of one where the text was cut off inside it.
    pub(crate) fn redact(&self, text: &str) -> String {
        let text = self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED));
        let beginning = self.0.iter().filter_map(|secret| beginning_at_end(&text, secret)).max();
        match beginning {
            Some(length) => [&text[..text.len() - length], REDACTED].concat(),
            None => text,
        }
    }
}

/// How much of the secret's beginning the text ends with.
fn beginning_at_end(text: &str, secret: &str) -> Option<usize> {
    let lengths = (SHORTEST..secret.len()).rev();
    lengths.filter(|length| secret.is_char_boundary(*length)).find(|length| text.ends_with(&secret[..*length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_taken_out_whole_or_begun_and_short_words_stay() {
        let secrets = Secrets::new(["canary-token", "s", "пароль-é"]).and(["pw#", ""]);
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

//! The error message that is printed instead of the summary.

use std::error::Error;
use std::iter::successors;

use crate::text::sanitize;

/// Returns the error and its innermost cause, for example `no summary today: not reached (Connection refused)`.
pub(crate) fn error_message(error: &dyn Error) -> String {
    let cause = successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source()).last();
    let cause = cause.map(|cause| format!(" ({cause})")).unwrap_or_default();
    // The error may contain text from the server.
    sanitize(&format!("no summary today: {error}{cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Wrapped(&'static str, Option<Box<Wrapped>>);

    impl std::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as &dyn Error)
        }
    }

    #[test]
    fn innermost_cause_is_appended() {
        let error =
            Wrapped("not reached", Some(Box::new(Wrapped("connect", Some(Box::new(Wrapped("refused", None)))))));
        assert_eq!(error_message(&error), "no summary today: not reached (refused)");
        assert_eq!(error_message(&Wrapped("not reached", None)), "no summary today: not reached");
    }

    #[test]
    fn control_characters_from_the_server_are_removed() {
        let error = Wrapped("text \u{1b}[2J\n\u{202e}x", None);
        assert_eq!(error_message(&error), "no summary today: text [2J x");
    }
}

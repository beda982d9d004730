//! Why there is no summary.

use std::error::Error;
use std::iter::successors;

use crate::text::plain;

/// What an error says, and the cause that lies deepest, which tells a wrong name from a service that is not running.
pub(crate) fn complaint(error: &dyn Error) -> String {
    let cause = successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source()).last();
    let cause = cause.map(|cause| format!(" ({cause})")).unwrap_or_default();
    // Some of it may be what the service has said.
    plain(&format!("no summary today: {error}{cause}"))
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
    fn the_deepest_cause_stands_beside_the_error() {
        let error =
            Wrapped("not reached", Some(Box::new(Wrapped("connect", Some(Box::new(Wrapped("refused", None)))))));
        assert_eq!(complaint(&error), "no summary today: not reached (refused)");
        assert_eq!(complaint(&Wrapped("not reached", None)), "no summary today: not reached");
    }

    #[test]
    fn what_the_service_says_does_not_steer_the_terminal() {
        let error = Wrapped("said \u{1b}[2J\n\u{202e}x", None);
        assert_eq!(complaint(&error), "no summary today: said [2J x");
    }
}

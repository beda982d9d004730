//! Ids of requests in spans and audit events.

use crate::id::Id;

/// Length of a UUID.
const MAX_LOGGED_LENGTH: usize = 36;

/// Returns whether the text of an id in a request may be in a span or in an audit event. A text that is longer than a
/// UUID may not: a client can send a token in place of an id.
pub(crate) fn is_loggable(id: &str) -> bool {
    id.len() <= MAX_LOGGED_LENGTH
}

/// Returns the text of an id in a request, for a span. Returns `None` if it can be a token.
pub(crate) fn loggable_text<I: Id>(id: &I) -> Option<&str> {
    Some(id.text()).filter(|text| is_loggable(text))
}

//! Messages on standard error.

use std::io::{self, Write};

use crate::text::escape_controls;

/// Prints messages to standard error.
pub(crate) fn print_messages<T: AsRef<str>>(messages: &[T]) {
    let mut out = io::stderr().lock();
    for message in messages {
        // If standard error is closed, the message cannot be reported anywhere.
        let _ = writeln!(out, "family: {}", escape_controls(message.as_ref()));
    }
}

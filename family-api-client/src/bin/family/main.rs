//! `family`: reads and writes a family's tasks, events, shopping lists and notes over the API.
//!
//! Reads and writes need an integration key, from `FAMILY_API_TOKEN` or a file. Commands on keys, connections, access
//! and the personal API need a session. Commands on boards, columns, lists and categories accept one instead of the key.
//! `--email` signs in before the command and signs out after it. Without `--email`, `FAMILY_API_COOKIE` contains the
//! session cookie.
//!
//! No argument takes a secret, because other users of the machine can read the arguments of a process. The only secret
//! in the output is a new key, which is printed once, or saved in a file that only its owner can read.
//!
//! The output is a table, with borders only on a terminal. With `--json`, the output is one JSON document.
//! Control characters in the family's data are escaped, so that they cannot control the terminal.
//!
//! # Exit codes
//!
//! | code | |
//! |---|---|
//! | 0 | success |
//! | 1 | a failure that is not listed below |
//! | 2 | usage error: invalid arguments or settings, or values that the service rejects (400, 413, 415, 422) |
//! | 3 | authentication error: no key or session, or the key or session does not permit the command (401, 403) |
//! | 4 | the record was not found (a 404 from the service; any other 404 means a wrong address) |
//! | 5 | service or network error: no connection, redirect, timeout, overload or server error (429, 5xx), or unexpected response; also a write that failed but may have taken effect |
//! | 6 | the record is at another version than `--if-match` requires, and nothing was changed (412) |

mod arguments;
mod commands;
mod context;
mod failure;
mod find;
mod json;
mod messages;
mod output;
mod session;
mod show;
mod table;
mod text;
mod times;
mod token;
mod when;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::text::escape_controls;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return print_help_or_usage_error(&error),
    };
    match commands::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed the pipe, as `head` does.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            messages::print_messages(&failure.to_lines());
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The beginnings of secrets. None of them contains another one.
const SECRET_PREFIXES: [&str; 5] = ["famcal_", "fam_", "fama_", "famr_", "famc_"];

/// Prints the help, the version or a usage error. A usage error can quote an argument, so its control characters are
/// escaped, and its secrets are replaced.
fn print_help_or_usage_error(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let lines = error.to_string();
        let lines: Vec<String> = lines.lines().map(|line| escape_controls(&redact_secrets(line))).collect();
        let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
    } else {
        // If standard output is closed, the help cannot be printed anywhere.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Replaces each secret by its prefix and `…`.
fn redact_secrets(text: &str) -> String {
    SECRET_PREFIXES.into_iter().fold(text.to_owned(), |text, prefix| {
        let mut parts = text.split(prefix);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest =
                part.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
            shown.push_str(prefix);
            shown.push_str(if rest.len() < part.len() { "…" } else { "" });
            shown.push_str(rest);
        }
        shown
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_is_replaced_and_nothing_else() {
        for prefix in SECRET_PREFIXES {
            let text = format!("'https://h/{prefix}1aB.ics' and {prefix}2 or {prefix}, family_session=é");
            let shown = format!("'https://h/{prefix}….ics' and {prefix}… or {prefix}, family_session=é");
            assert_eq!(redact_secrets(&text), shown);
        }
        assert_eq!(redact_secrets("famcal_fam_x-y"), "famcal_…");
        assert_eq!(redact_secrets("famcal_…"), "famcal_…");
    }
}

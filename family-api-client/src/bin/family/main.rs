//! `family`: a family's tasks, events, shopping lists and notes on the command line, over the family's API.
//!
//! Reads and writes take an integration key, from `FAMILY_API_TOKEN` or a file; keys and the personal API are managed
//! in a session, which `--email` opens and ends again, or which `FAMILY_API_COOKIE` holds. No secret is ever an
//! argument, since other users of the machine see those, and none is ever written but a new key, once.
//!
//! Records are tables, on a terminal with lines and elsewhere without, or with `--json` one JSON document. Whatever the
//! family wrote is data: what would steer a terminal is shown instead of done.
//!
//! # Exit codes
//!
//! | code | |
//! |---|---|
//! | 0 | it is done |
//! | 1 | anything else failed |
//! | 2 | usage: arguments, settings, or values that the service refuses (400, 413, 415, 422) |
//! | 3 | authentication: no key, or one that does not open this (401, 403) |
//! | 4 | there is no such thing (404 of the service; a 404 of anybody else is a wrong address) |
//! | 5 | the service or the network: not reached, elsewhere, too late, overloaded or broken (429, 5xx), or not understood; also a write that may have taken effect |
//! | 6 | the record is at another version than `--if-match` names, and nothing was done (412) |

mod arguments;
mod commands;
mod context;
mod failure;
mod json;
mod output;
mod session;
mod show;
mod table;
mod text;
mod times;
mod token;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::text::harmless;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match commands::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read along has read enough.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure.to_lines());
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Help and version, or what is wrong with the command line, which may quote it.
fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let lines = error.to_string();
        let lines: Vec<String> = lines.lines().map(harmless).collect();
        let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
    } else {
        // Where nobody reads it, nobody is left to be told.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

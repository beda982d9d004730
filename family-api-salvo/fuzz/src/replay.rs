//! Replays inputs without a fuzzer.

use std::env;
use std::fs;

use crate::Target;

/// Runs the target with each file that the command line names.
pub fn replay(target: Target) {
    for file in env::args_os().skip(1) {
        let input = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        target(&input);
    }
}

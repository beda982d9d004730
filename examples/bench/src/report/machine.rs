//! The head of the report: date, machine, compiler and server binary.

use std::env;
use std::fs;
use std::process::Command;
use std::thread::available_parallelism;

use family_api_core::{Clock, SystemClock};

use super::mebibytes;
use crate::failure::Result;
use crate::machine::model;
use crate::process::{LOG, Program};

/// Returns the head of a report.
pub(crate) fn head(title: &str, server: &Program, is_quick: bool) -> Result<String> {
    let date = SystemClock.now().to_string();
    let model = model().unwrap_or_else(|| "unknown CPU".to_owned());
    let count = available_parallelism().map_or(1, usize::from);
    let pinning = if server.cores.are_pinned() {
        "Server and load generator are pinned to one core each."
    } else {
        "NOT PINNED: server and load generator share the cores, because there is only one core or the system cannot pin processes."
    };
    let log = env::var(LOG).unwrap_or_else(|_| "info (default)".to_owned());
    let size = mebibytes(Some(fs::metadata(&server.path)?.len()));
    Ok(format!(
        "# {title}\n\n{}, {model}, {count} cores, {}. {pinning} The server's log level is {log}; its output is discarded. The size of its binary is {size}.{}{}\n",
        date.get(..10).unwrap_or(&date),
        compiler(),
        if is_quick { " QUICK MEASUREMENT: the figures are less exact." } else { "" },
        if cfg!(debug_assertions) { " THE BASELINES ARE NOT OPTIMISED: run with `--profile dist`." } else { "" },
    ))
}

fn compiler() -> String {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().ok();
    let version = output.and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "unknown compiler".to_owned(), |version| version.trim().to_owned())
}

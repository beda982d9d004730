//! Where and when it was measured.

use std::env;
use std::fs;
use std::process::Command;
use std::thread::available_parallelism;

use family_api_core::{Clock, SystemClock};

use super::mebibytes;
use crate::failure::Result;
use crate::machine::model;
use crate::process::{LOG, Program};

/// The beginning of a report.
pub(crate) fn head(title: &str, server: &Program, is_quick: bool) -> Result<String> {
    let date = SystemClock.now().to_string();
    let model = model().unwrap_or_else(|| "an unknown processor".to_owned());
    let count = available_parallelism().map_or(1, usize::from);
    let apart = if server.cores.are_apart() {
        "Server and load are kept on a core each."
    } else {
        "NOT PINNED: server and load share the cores, for there is no second one or the system keeps nobody to one."
    };
    let log = env::var(LOG).unwrap_or_else(|_| "info, as by default".to_owned());
    let size = mebibytes(Some(fs::metadata(&server.path)?.len()));
    Ok(format!(
        "# {title}\n\n{}, {model}, {count} cores, {}. {apart} The server's log is at {log}, and goes nowhere. Its program has {size}.{}{}\n",
        date.get(..10).unwrap_or(&date),
        compiler(),
        if is_quick { " MEASURED QUICKLY: the figures stray." } else { "" },
        if cfg!(debug_assertions) { " THE BASELINES ARE NOT OPTIMISED: run with `--profile dist`." } else { "" },
    ))
}

fn compiler() -> String {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().ok();
    let version = output.and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "an unknown compiler".to_owned(), |version| version.trim().to_owned())
}

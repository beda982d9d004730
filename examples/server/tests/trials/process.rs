//! Memory and open files of a process, from `/proc`. Without `/proc`, the functions return `None` and the trials skip
//! the checks that depend on them.

use std::fs;

/// Returns the current and the peak resident memory of the process, in KiB.
pub(crate) fn memory(process: u32) -> Option<[u64; 2]> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let field = |name| {
        let line = status.lines().find_map(|line: &str| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some([field("VmRSS:")?, field("VmHWM:")?])
}

/// Returns the number of open file descriptors of the process.
pub(crate) fn open_files(process: u32) -> Option<usize> {
    Some(fs::read_dir(format!("/proc/{process}/fd")).ok()?.count())
}

/// Formats KiB as MiB with one decimal.
pub(crate) fn mebibytes(kibibytes: u64) -> String {
    format!("{}.{} MiB", kibibytes / 1024, kibibytes % 1024 * 10 / 1024)
}

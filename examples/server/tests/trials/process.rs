//! Memory, CPU time and CPU affinity of a process, from `/proc`. Without `/proc`, the functions return `None` and the
//! trials skip the checks that depend on them.

use std::process::{self, Command, Stdio};
use std::{fs, thread};

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

/// Pins this process to one CPU until the value is dropped. Child processes keep the CPU that was set when they
/// started.
pub(crate) struct CpuPin {
    before: String,
}

impl CpuPin {
    /// Pins this process to the first CPU, so that a server that starts now runs there. Returns `None` if there is only
    /// one CPU or no `taskset`.
    pub(crate) fn first() -> Option<Self> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let before = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim().to_owned();
        let has_second = thread::available_parallelism().is_ok_and(|cpus| cpus.get() > 1);
        (has_second && pin("0")).then_some(Self { before })
    }

    /// Moves this process, with its clients of the server, to the second CPU.
    pub(crate) fn move_to_second(&self) {
        assert!(pin("1"), "cannot pin to CPU 1 of {}", self.before);
    }
}

impl Drop for CpuPin {
    fn drop(&mut self) {
        pin(&self.before);
    }
}

fn pin(cpus: &str) -> bool {
    let mut command = Command::new("taskset");
    command.args(["--all-tasks", "--cpu-list", "--pid", cpus, &process::id().to_string()]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns the CPU time of this process, in ticks of 10 ms.
pub(crate) fn own_ticks() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

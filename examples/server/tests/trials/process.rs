//! What Linux tells of a process; elsewhere nothing is told, and what depends on it is left out.

use std::process::{self, Command, Stdio};
use std::{fs, thread};

/// Its memory of the moment and the most it ever had, in KiB.
pub(crate) fn memory(process: u32) -> Option<[u64; 2]> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let field = |name| {
        let line = status.lines().find_map(|line: &str| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some([field("VmRSS:")?, field("VmHWM:")?])
}

/// KiB as people read them.
pub(crate) fn mebibytes(kibibytes: u64) -> String {
    format!("{}.{} MiB", kibibytes / 1024, kibibytes % 1024 * 10 / 1024)
}

/// Keeps this process to one of the machine's processors at a time, until it is dropped; what it starts stays on the
/// processor of that moment.
pub(crate) struct Pinned {
    before: String,
}

impl Pinned {
    /// To the first processor, for a server that is started now; nothing where there is no second one, or no `taskset`.
    pub(crate) fn to_first() -> Option<Self> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let before = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim().to_owned();
        let enough = thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
        (enough && pin("0")).then_some(Self { before })
    }

    /// To the second one, for who calls the server.
    pub(crate) fn move_over(&self) {
        assert!(pin("1"), "the second of {} is not to be had", self.before);
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        pin(&self.before);
    }
}

fn pin(processors: &str) -> bool {
    let mut command = Command::new("taskset");
    command.args(["--all-tasks", "--cpu-list", "--pid", processors, &process::id().to_string()]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// How long this process has had a processor, in ticks of a hundredth of a second.
pub(crate) fn own_ticks() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

//! CPU pinning and process figures on Linux.

use std::time::Duration;
use std::{fs, io};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

use super::Usage;

const THIS_THREAD: Pid = Pid::from_raw(0);

/// Returns the CPUs on which this thread may run.
pub(super) fn cores() -> Vec<usize> {
    let allowed = sched_getaffinity(THIS_THREAD);
    allowed.map_or_else(|_| vec![], |set| (0..CpuSet::count()).filter(|core| set.is_set(*core) == Ok(true)).collect())
}

/// Pins this thread to these CPUs. Processes that this thread starts afterwards run on the same CPUs.
pub(super) fn pin_thread(cores: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    cores.iter().try_for_each(|core| set.set(*core))?;
    Ok(sched_setaffinity(THIS_THREAD, &set)?)
}

/// Returns the user and system CPU time of a process.
pub(crate) fn cpu_time(process: u32) -> Option<Duration> {
    let clock = clock_getcpuclockid(Pid::from_raw(process.try_into().ok()?)).ok()?;
    clock_gettime(clock).ok().map(Duration::from)
}

/// Returns the resident memory of a process, in bytes.
pub(crate) fn memory(process: u32) -> Option<u64> {
    status(process, "VmRSS:")
}

/// Returns the largest resident memory that a process has had, in bytes.
pub(crate) fn peak_memory(process: u32) -> Option<u64> {
    status(process, "VmHWM:")
}

fn status(process: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Returns the resources that the ended child processes of this process used.
pub(crate) fn usage_of_children() -> Option<Usage> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let cpu = duration(usage.user_time())? + duration(usage.system_time())?;
    Some(Usage { cpu, peak_memory: u64::try_from(usage.max_rss()).ok()? * 1024 })
}

fn duration(time: TimeVal) -> Option<Duration> {
    let seconds = time.tv_sec().try_into().ok()?;
    Some(Duration::from_secs(seconds) + Duration::from_micros(time.tv_usec().try_into().ok()?))
}

/// Returns the model name of the CPU.
pub(crate) fn model() -> Option<String> {
    let processors = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = processors.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

//! CPU pinning, and the CPU time and memory of processes. They are implemented on Linux only: on other systems, nothing
//! is pinned and the figures are missing.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other_systems.rs")]
mod system;

use std::io;
use std::process::{Child, Command};
use std::time::Duration;

pub(crate) use system::{cpu_time, memory, model, peak_memory, usage_of_children};

/// Resources that ended processes have used.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(crate) struct Usage {
    pub(crate) cpu: Duration,
    /// Peak memory of the largest of these processes, in bytes.
    pub(crate) peak_memory: u64,
}

/// Waits for SIGTERM, or for Ctrl+C on systems other than Unix.
pub(crate) async fn stop_signal() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?.recv().await;
        Ok(())
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Two CPUs: one for the server, one for the load generator. `None` if processes cannot be pinned to separate CPUs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cores(Option<[usize; 2]>);

impl Cores {
    /// Returns the first and the last CPU on which this thread can run. CPUs with adjacent numbers can be two threads
    /// of one core.
    pub(crate) fn first_and_last() -> Self {
        let cores = system::cores();
        Self(match (cores.first(), cores.last()) {
            (Some(first), Some(last)) if first != last => Some([*first, *last]),
            _ => None,
        })
    }

    pub(crate) fn are_pinned(self) -> bool {
        self.0.is_some()
    }

    /// Starts a process on the first CPU, and keeps this thread on the last one.
    pub(crate) fn spawn(self, command: &mut Command) -> io::Result<Child> {
        let Some([server, load]) = self.0 else {
            return command.spawn();
        };
        spawn(command, &[server], load)
    }

    /// Starts a process on both CPUs, and keeps this thread on the last one.
    pub(crate) fn spawn_on_both(self, command: &mut Command) -> io::Result<Child> {
        let Some(both @ [_, load]) = self.0 else {
            return command.spawn();
        };
        spawn(command, &both, load)
    }
}

/// Starts a process on `process_cores`, and then pins this thread to `own_core`.
///
/// A process inherits the CPUs of the thread that starts it. So this thread is pinned to `process_cores` first.
fn spawn(command: &mut Command, process_cores: &[usize], own_core: usize) -> io::Result<Child> {
    system::pin_thread(process_cores)?;
    let child = command.spawn();
    system::pin_thread(&[own_core])?;
    child
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn the_cpu_time_of_a_busy_process_grows() {
        let own = std::process::id();
        let before = cpu_time(own).unwrap();
        while cpu_time(own).unwrap() < before + Duration::from_millis(1) {
            black_box((0..1_000).sum::<u64>());
        }
        assert!(memory(own).unwrap() > 1024 * 1024);
        assert!(peak_memory(own) >= memory(own));
    }

    #[test]
    fn a_missing_process_has_no_figures() {
        assert!(cpu_time(u32::MAX).is_none() && memory(u32::MAX).is_none());
    }
}

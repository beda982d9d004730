//! Functions of the operating system: CPU pinning, CPU time, memory. On systems other than Linux, these figures are
//! missing.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
mod system;

use std::io;
use std::process::{Child, Command};
use std::time::Duration;

pub(crate) use system::{cpu_time, memory, model, usage_of_children};

/// Resources that a process and its children have used.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(crate) struct Usage {
    pub(crate) cpu: Duration,
    /// Peak memory of the largest of them, in bytes.
    pub(crate) peak_memory: u64,
}

/// Waits for a stop signal.
pub(crate) async fn stopped() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?.recv().await;
        Ok(())
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Two CPUs: one for the server, one for the load generator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cores(Option<[usize; 2]>);

impl Cores {
    /// Returns the first and the last CPU. Neighbours may be two threads of one core.
    pub(crate) fn claim() -> Self {
        let cores = system::cores();
        Self(match (cores.first(), cores.last()) {
            (Some(first), Some(last)) if first != last => Some([*first, *last]),
            _ => None,
        })
    }

    pub(crate) fn are_apart(self) -> bool {
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

/// Starts a process on given CPUs. A process inherits the CPUs of the thread that starts it, so this thread moves there
/// first.
fn spawn(command: &mut Command, there: &[usize], back: usize) -> io::Result<Child> {
    system::keep_to(there)?;
    let child = command.spawn();
    system::keep_to(&[back])?;
    child
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn the_cpu_time_of_a_process_grows_while_it_works() {
        let own = std::process::id();
        let before = cpu_time(own).unwrap();
        while cpu_time(own).unwrap() < before + Duration::from_millis(1) {
            black_box((0..1_000).sum::<u64>());
        }
        assert!(memory(own).unwrap() > 1024 * 1024);
    }

    #[test]
    fn a_missing_process_has_no_figures() {
        assert!(cpu_time(u32::MAX).is_none() && memory(u32::MAX).is_none());
    }
}

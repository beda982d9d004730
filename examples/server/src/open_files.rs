//! The limit of open files. Each connection needs one file descriptor.

use std::num::NonZeroUsize;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors for the database, the log and the listening socket.
const RESERVED: usize = 128;

/// Raises the soft limit of open files as far as `connections` need. Returns how many of these connections the new
/// limit permits, and logs a warning if it does not permit all.
pub(crate) fn raise_limit(connections: NonZeroUsize) -> NonZeroUsize {
    let limit = getrlimit(Resource::Nofile);
    let raised = raised_limit(limit, connections.get().saturating_add(RESERVED) as u64);
    // If this fails, the old limit stays.
    let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { raised } else { limit };
    let possible = possible_connections(allowed, connections);
    if possible < connections {
        tracing::warn!(%connections, %possible, "the limit of open files (ulimit -n) permits fewer connections than --max-connections");
    }
    possible
}

/// Raises the soft limit to `needed`, but not above the hard limit. Never lowers the soft limit.
fn raised_limit(limit: Rlimit, needed: u64) -> Rlimit {
    let current = limit.current.map(|current| current.max(limit.maximum.map_or(needed, |hard| hard.min(needed))));
    Rlimit { current, ..limit }
}

fn possible_connections(limit: Rlimit, connections: NonZeroUsize) -> NonZeroUsize {
    let descriptors = limit.current.map_or(usize::MAX, |current| usize::try_from(current).unwrap_or(usize::MAX));
    NonZeroUsize::new(descriptors.saturating_sub(RESERVED)).unwrap_or(NonZeroUsize::MIN).min(connections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_rises_at_most_to_the_hard_limit_and_never_falls() {
        let limit = |current, maximum| Rlimit { current, maximum };
        for (before, current, possible) in [
            (limit(Some(1024), Some(524_288)), Some(2128), 2000),
            (limit(Some(1024), None), Some(2128), 2000),
            (limit(Some(1024), Some(1024)), Some(1024), 896),
            (limit(Some(65_536), Some(65_536)), Some(65_536), 2000),
            (limit(Some(64), Some(64)), Some(64), 1),
            (limit(None, None), None, 2000),
        ] {
            let raised = raised_limit(before, 2128);
            assert_eq!((raised.current, raised.maximum), (current, before.maximum));
            assert_eq!(possible_connections(raised, 2000.try_into().unwrap()).get(), possible);
        }
    }
}

//! The limit of open files. Each connection needs one file descriptor.

use std::num::NonZeroUsize;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors for the log, the listening sockets and the connections to the metrics.
const RESERVED: usize = 128;

/// Maximum number of file descriptors of a connection to the database. SQLite opens three files.
const PER_DATABASE_CONNECTION: usize = 3;

/// Raises the soft limit of open files as far as `connections` of clients and the connections to the database need.
/// Returns how many connections of clients the new limit permits, and logs a warning if it does not permit all.
pub(crate) fn raise_limit(connections: NonZeroUsize, database_connections: usize) -> NonZeroUsize {
    let limit = getrlimit(Resource::Nofile);
    let reserved = reserved(database_connections);
    let raised = raised_limit(limit, connections.get().saturating_add(reserved) as u64);
    // If this fails, the old limit stays.
    let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { raised } else { limit };
    let possible = possible_connections(allowed, connections, reserved);
    if possible < connections {
        tracing::warn!(%connections, %possible, "the limit of open files (ulimit -n) permits fewer connections than --max-connections");
    }
    possible
}

/// Returns the number of file descriptors that connections of clients must not use.
fn reserved(database_connections: usize) -> usize {
    RESERVED.saturating_add(database_connections.saturating_mul(PER_DATABASE_CONNECTION))
}

/// Raises the soft limit to `needed`, but not above the hard limit. Never lowers the soft limit.
fn raised_limit(limit: Rlimit, needed: u64) -> Rlimit {
    let current = limit.current.map(|current| current.max(limit.maximum.map_or(needed, |hard| hard.min(needed))));
    Rlimit { current, ..limit }
}

fn possible_connections(limit: Rlimit, connections: NonZeroUsize, reserved: usize) -> NonZeroUsize {
    let descriptors = limit.current.map_or(usize::MAX, |current| usize::try_from(current).unwrap_or(usize::MAX));
    NonZeroUsize::new(descriptors.saturating_sub(reserved)).unwrap_or(NonZeroUsize::MIN).min(connections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_rises_at_most_to_the_hard_limit_and_never_falls() {
        let limit = |current, maximum| Rlimit { current, maximum };
        for (before, database, current, possible) in [
            (limit(Some(1024), Some(524_288)), 5, Some(2143), 2000),
            (limit(Some(1024), None), 5, Some(2143), 2000),
            (limit(Some(1024), Some(1024)), 5, Some(1024), 881),
            (limit(Some(1024), Some(1024)), 65_536, Some(1024), 1),
            (limit(Some(1024), Some(524_288)), 101, Some(2431), 2000),
            (limit(Some(65_536), Some(65_536)), 5, Some(65_536), 2000),
            (limit(Some(64), Some(64)), 5, Some(64), 1),
            (limit(None, None), 5, None, 2000),
        ] {
            let reserved = reserved(database);
            let raised = raised_limit(before, 2000 + reserved as u64);
            assert_eq!((raised.current, raised.maximum), (current, before.maximum));
            assert_eq!(possible_connections(raised, 2000.try_into().unwrap(), reserved).get(), possible);
        }
    }
}

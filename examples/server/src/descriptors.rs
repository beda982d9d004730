//! The limit of file descriptors: one for each connection, and a reserve for everything else.

use std::num::NonZeroUsize;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for the database, the log and the listening socket.
const RESERVED: usize = 128;

/// Raises the soft limit of open files for this number of connections. Returns the number of connections that fit.
pub(crate) fn reserve(connections: NonZeroUsize) -> NonZeroUsize {
    let limit = getrlimit(Resource::Nofile);
    let raised = raise(limit, connections.get().saturating_add(RESERVED) as u64);
    // If this fails, the old limit stays.
    let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { raised } else { limit };
    let room = room(allowed, connections);
    if room < connections {
        tracing::warn!(%connections, %room, "fewer connections than --max-connections: the limit of open files (ulimit -n) is too low");
    }
    room
}

/// Raises the soft limit to `needed`, at most to the hard limit. Never lowers it.
fn raise(limit: Rlimit, needed: u64) -> Rlimit {
    let current = limit.current.map(|current| current.max(limit.maximum.map_or(needed, |most| most.min(needed))));
    Rlimit { current, ..limit }
}

fn room(limit: Rlimit, connections: NonZeroUsize) -> NonZeroUsize {
    let descriptors = limit.current.map_or(usize::MAX, |current| usize::try_from(current).unwrap_or(usize::MAX));
    NonZeroUsize::new(descriptors.saturating_sub(RESERVED)).unwrap_or(NonZeroUsize::MIN).min(connections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_as_far_as_allowed_and_never_lowered() {
        let limit = |current, maximum| Rlimit { current, maximum };
        for (before, current, room_for) in [
            (limit(Some(1024), Some(524_288)), Some(2128), 2000),
            (limit(Some(1024), None), Some(2128), 2000),
            (limit(Some(1024), Some(1024)), Some(1024), 896),
            (limit(Some(65_536), Some(65_536)), Some(65_536), 2000),
            (limit(Some(64), Some(64)), Some(64), 1),
            (limit(None, None), None, 2000),
        ] {
            let raised = raise(before, 2128);
            assert_eq!((raised.current, raised.maximum), (current, before.maximum));
            assert_eq!(room(raised, 2000.try_into().unwrap()).get(), room_for);
        }
    }
}

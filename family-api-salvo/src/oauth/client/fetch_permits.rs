//! Bounds how much the server does at the same time for documents on other sites.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of permits in use. So slow sites take only some of the server's connections and threads.
pub(super) const MAX_PERMITS: usize = 16;

/// Maximum number of permits in use for one host. So one slow site does not take them all.
pub(super) const MAX_PERMITS_OF_A_HOST: usize = 2;

/// Permits to do something for a host. Clones share the permits.
#[derive(Debug, Clone, Default)]
pub(super) struct FetchPermits(Arc<Mutex<Vec<String>>>);

/// Permission to do something for a host, until it is dropped.
#[derive(Debug)]
pub(super) struct FetchPermit {
    permits: FetchPermits,
    host: String,
}

impl FetchPermits {
    /// Returns a permit, or `None` if too many are in use.
    pub(super) fn take(&self, host: &str) -> Option<FetchPermit> {
        let mut hosts = self.hosts();
        let of_host = hosts.iter().filter(|other| *other == host).count();
        if hosts.len() >= MAX_PERMITS || of_host >= MAX_PERMITS_OF_A_HOST {
            return None;
        }
        hosts.push(host.to_owned());
        Some(FetchPermit { permits: self.clone(), host: host.to_owned() })
    }

    fn hosts(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FetchPermit {
    fn drop(&mut self) {
        let mut hosts = self.permits.hosts();
        if let Some(index) = hosts.iter().position(|host| *host == self.host) {
            hosts.swap_remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_bounded_in_total_and_for_a_host() {
        let permits = FetchPermits::default();
        let slow: Vec<_> = (0..3).map(|_| permits.take("slow.example")).collect();
        assert_eq!(slow.iter().flatten().count(), MAX_PERMITS_OF_A_HOST);
        let others: Vec<_> = (0..MAX_PERMITS).map(|number| permits.take(&format!("{number}.example"))).collect();
        assert_eq!(others.iter().flatten().count(), MAX_PERMITS - MAX_PERMITS_OF_A_HOST);
        drop(slow);
        assert!(permits.take("slow.example").is_some());
    }
}

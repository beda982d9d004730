//! Slows down who guesses passwords.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::key::KeyDigest;
use family_api_core::limit::{Buckets, Rate};
use family_api_core::{Clock, Error};

/// How many attempts may fail in a minute for one e-mail address.
const ACCOUNT: Rate = Rate::per_minute(NonZeroU32::new(10).unwrap());

/// How many attempts may fail in a minute from one network address.
const PEER: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// Bounds the sign-ins that fail, for each account and for each peer.
///
/// An account is what was presented, whether or not there is one, so that nothing is learned about that. It says nothing
/// about sessions that are open already.
pub(crate) struct Throttle {
    accounts: Buckets<[u8; 32]>,
    peers: Buckets<IpAddr>,
    clock: Arc<dyn Clock>,
}

impl Throttle {
    pub(crate) fn new(clock: impl Clock + 'static) -> Self {
        Self { accounts: Buckets::new(ACCOUNT), peers: Buckets::new(PEER), clock: Arc::new(clock) }
    }

    /// Counts an attempt as failed before it is made: those that are made at once cannot all slip through.
    ///
    /// # Errors
    /// [`Error::RateLimited`].
    pub(crate) fn begin(&self, email: &str, peer: Option<IpAddr>) -> Result<Counted<'_>, Error> {
        let now = self.clock.now();
        let counted = Counted {
            throttle: self,
            // However long the text is, its digest is what is remembered.
            account: *KeyDigest::of(email).as_bytes(),
            peer: peer.map(network),
        };
        self.accounts.take(&counted.account, now).check()?;
        let of_peer = counted.peer.map_or(Ok(()), |peer| self.peers.take(&peer, now).check());
        if of_peer.is_err() {
            self.accounts.give_back(&counted.account);
        }
        of_peer.map(|()| counted)
    }
}

/// An attempt that counts as failed.
pub(crate) struct Counted<'a> {
    throttle: &'a Throttle,
    account: [u8; 32],
    peer: Option<IpAddr>,
}

impl Counted<'_> {
    /// It has not failed.
    pub(crate) fn forget(self) {
        self.throttle.accounts.give_back(&self.account);
        if let Some(peer) = &self.peer {
            self.throttle.peers.give_back(peer);
        }
    }
}

/// What one subscriber has: an address of IPv4, or a /64 of IPv6.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::{ManualClock, Timestamp};
    use jiff::SignedDuration;

    use super::*;

    fn throttle() -> (Throttle, ManualClock) {
        let clock = ManualClock::new("2026-11-20T09:00:00Z".parse::<Timestamp>().unwrap());
        (Throttle::new(clock.clone()), clock)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn wait(begun: Result<Counted<'_>, Error>) -> Option<u64> {
        match begun {
            Ok(_) => None,
            Err(Error::RateLimited { retry_after }) => Some(retry_after.as_secs()),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn an_account_has_ten_failures_a_minute_wherever_they_come_from() {
        let (throttle, clock) = throttle();
        for peer in 0..10 {
            assert_eq!(wait(throttle.begin("ana", Some(address(&format!("192.0.2.{peer}"))))), None);
        }
        assert_eq!(wait(throttle.begin("ana", Some(address("198.51.100.1")))), Some(6));
        assert_eq!(wait(throttle.begin("ben", Some(address("198.51.100.1")))), None);
        clock.advance(SignedDuration::from_secs(6));
        assert_eq!(wait(throttle.begin("ana", None)), None);
        assert_eq!(wait(throttle.begin("ana", None)), Some(6));
    }

    #[test]
    fn a_peer_has_sixty_failures_a_minute_whatever_account_they_are_for() {
        let (throttle, _) = throttle();
        for account in 0..60 {
            assert_eq!(wait(throttle.begin(&account.to_string(), Some(address("192.0.2.1")))), None);
        }
        for _ in 0..20 {
            assert_eq!(wait(throttle.begin("ana", Some(address("192.0.2.1")))), Some(1));
        }
        // What the peer was refused is no failure of the account.
        assert_eq!(wait(throttle.begin("ana", Some(address("192.0.2.2")))), None);
    }

    #[test]
    fn what_has_not_failed_does_not_count() {
        let (throttle, _) = throttle();
        for _ in 0..200 {
            throttle.begin("ana", Some(address("192.0.2.1"))).unwrap_or_else(|error| panic!("{error}")).forget();
        }
    }

    #[test]
    fn a_network_is_an_address_of_ipv4_or_a_64_of_ipv6() {
        for (one, other, is_same) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ] {
            assert_eq!(network(address(one)) == network(address(other)), is_same, "{one} {other}");
        }
    }
}

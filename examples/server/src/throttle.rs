//! Slows down who guesses passwords, and who signs in all the time.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::key::KeyDigest;
use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error};
use family_api_salvo::Peer;

/// How many attempts may fail in a minute for one e-mail address.
const ACCOUNT: Rate = Rate::per_minute(NonZeroU32::new(10).unwrap());

/// How many attempts may fail in a minute from one network address.
const PEER: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// The maximum number of attempts in a minute for one e-mail address, also of those that succeed: each takes tens of
/// milliseconds of a core, and writes a session.
const ATTEMPTS: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// Bounds the sign-ins that fail, for each account and for each peer, and all sign-ins for each account.
///
/// An account is what was presented, whether or not there is one, so that nothing is learned about that. It says nothing
/// about sessions that are open already.
pub(crate) struct Throttle {
    accounts: RateLimiter<KeyDigest>,
    peers: RateLimiter<Peer>,
    attempts: RateLimiter<KeyDigest>,
    clock: Arc<dyn Clock>,
}

impl Throttle {
    pub(crate) fn new(clock: impl Clock + 'static) -> Self {
        let (accounts, peers, attempts) =
            (RateLimiter::new(ACCOUNT), RateLimiter::new(PEER), RateLimiter::new(ATTEMPTS));
        Self { accounts, peers, attempts, clock: Arc::new(clock) }
    }

    /// Counts an attempt as failed before it is made: those that are made at once cannot all slip through.
    ///
    /// # Errors
    /// [`Error::RateLimited`].
    pub(crate) fn begin(&self, email: &str, peer: Option<Peer>) -> Result<Counted<'_>, Error> {
        let now = self.clock.monotonic();
        let counted = Counted {
            throttle: self,
            // However long the text is, its digest is what is remembered.
            account: KeyDigest::of(email),
            peer,
        };
        self.accounts.check(&counted.account, now).into_result()?;
        let of_peer = counted.peer.map_or(Ok(()), |peer| self.peers.check(&peer, now).into_result());
        if of_peer.is_err() {
            self.accounts.give_back(&counted.account);
        }
        of_peer?;
        let of_all = self.attempts.check(&counted.account, now).into_result();
        if of_all.is_err() {
            counted.give_back();
        }
        of_all.map(|()| counted)
    }
}

/// An attempt that counts as failed.
pub(crate) struct Counted<'a> {
    throttle: &'a Throttle,
    account: KeyDigest,
    peer: Option<Peer>,
}

impl Counted<'_> {
    /// It has not failed.
    pub(crate) fn forget(self) {
        self.give_back();
    }

    fn give_back(&self) {
        self.throttle.accounts.give_back(&self.account);
        if let Some(peer) = &self.peer {
            self.throttle.peers.give_back(peer);
        }
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

    fn address(text: &str) -> Peer {
        text.parse::<std::net::IpAddr>().unwrap().into()
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
    fn a_step_of_the_wall_clock_neither_forgives_nor_adds_failures() {
        let (throttle, clock) = throttle();
        for _ in 0..10 {
            assert_eq!(wait(throttle.begin("ana", None)), None);
        }
        for wall in [Timestamp::MAX, Timestamp::MIN] {
            clock.set(wall);
            assert_eq!(wait(throttle.begin("ana", None)), Some(6));
        }
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
        let (throttle, clock) = throttle();
        for _ in 0..200 {
            throttle.begin("ana", Some(address("192.0.2.1"))).unwrap_or_else(|error| panic!("{error}")).forget();
            clock.advance(SignedDuration::from_secs(1));
        }
    }

    #[test]
    fn an_account_has_sixty_attempts_a_minute_also_if_they_succeed() {
        let (throttle, clock) = throttle();
        for _ in 0..60 {
            throttle.begin("ana", Some(address("192.0.2.1"))).unwrap_or_else(|error| panic!("{error}")).forget();
        }
        for _ in 0..20 {
            assert_eq!(wait(throttle.begin("ana", Some(address("192.0.2.1")))), Some(1));
        }
        // What was refused is no failure, neither of the account nor of the peer.
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(wait(throttle.begin("ana", Some(address("192.0.2.1")))), None);
        assert_eq!(wait(throttle.begin("ben", Some(address("192.0.2.1")))), None);
    }
}

//! Rate limits of sign-ins: against guessed passwords and against too many sign-ins.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::key::KeyDigest;
use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error};
use family_api_salvo::Peer;

/// Maximum number of failed attempts per minute for one e-mail address.
const ACCOUNT_FAILURES: Rate = Rate::per_minute(NonZeroU32::new(10).unwrap());

/// Maximum number of failed attempts per minute from one IP address.
const PEER_FAILURES: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// Maximum number of attempts per minute for one e-mail address, including successful ones. Each takes tens of
/// milliseconds of CPU time and writes a session.
const ATTEMPTS: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// Limits failed sign-ins per account and per peer, and all sign-ins per account.
///
/// An account is the e-mail address in the request, even if no user has it, so the limit does not reveal which users
/// exist. Sessions that are already open are not affected.
pub(crate) struct Throttle {
    accounts: RateLimiter<KeyDigest>,
    peers: RateLimiter<Peer>,
    attempts: RateLimiter<KeyDigest>,
    clock: Arc<dyn Clock>,
}

impl Throttle {
    pub(crate) fn new(clock: impl Clock + 'static) -> Self {
        Self {
            accounts: RateLimiter::new(ACCOUNT_FAILURES),
            peers: RateLimiter::new(PEER_FAILURES),
            attempts: RateLimiter::new(ATTEMPTS),
            clock: Arc::new(clock),
        }
    }

    /// Counts an attempt as failed before its password is verified, so that concurrent attempts cannot exceed the limit.
    ///
    /// # Errors
    /// [`Error::RateLimited`] if a limit is reached.
    pub(crate) fn begin(&self, email: &str, peer: Option<Peer>) -> Result<Counted<'_>, Error> {
        let now = self.clock.monotonic();
        let counted = Counted {
            throttle: self,
            // Only the digest is stored: the text may be of any length.
            account: KeyDigest::of(email),
            peer,
        };
        self.accounts.check(&counted.account, now).into_result()?;
        let peer_allowed = counted.peer.map_or(Ok(()), |peer| self.peers.check(&peer, now).into_result());
        if peer_allowed.is_err() {
            self.accounts.give_back(&counted.account);
        }
        peer_allowed?;
        let account_allowed = self.attempts.check(&counted.account, now).into_result();
        if account_allowed.is_err() {
            counted.give_back();
        }
        account_allowed.map(|()| counted)
    }
}

/// An attempt that is counted as failed.
pub(crate) struct Counted<'a> {
    throttle: &'a Throttle,
    account: KeyDigest,
    peer: Option<Peer>,
}

impl Counted<'_> {
    /// Removes the attempt from the count of failures.
    pub(crate) fn uncount(self) {
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
    fn an_account_has_ten_failures_a_minute_from_all_peers_together() {
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
    fn a_step_of_the_wall_clock_does_not_change_the_count() {
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
    fn a_peer_has_sixty_failures_a_minute_for_all_accounts_together() {
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
    fn attempts_that_did_not_fail_are_not_counted() {
        let (throttle, clock) = throttle();
        for _ in 0..200 {
            throttle.begin("ana", Some(address("192.0.2.1"))).unwrap_or_else(|error| panic!("{error}")).uncount();
            clock.advance(SignedDuration::from_secs(1));
        }
    }

    #[test]
    fn an_account_has_sixty_attempts_a_minute_even_if_they_succeed() {
        let (throttle, clock) = throttle();
        for _ in 0..60 {
            throttle.begin("ana", Some(address("192.0.2.1"))).unwrap_or_else(|error| panic!("{error}")).uncount();
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

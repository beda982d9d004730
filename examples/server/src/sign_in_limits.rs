//! Rate limits of sign-ins. They slow down password guessing and bound the CPU time of sign-ins.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::key::KeyDigest;
use family_api_core::limit::{Rate, RateLimited, RateLimiter};
use family_api_core::{Clock, Error};
use family_api_salvo::Peer;

/// Maximum number of failed attempts per minute for one e-mail address.
const ACCOUNT_FAILURES: Rate = Rate::per_minute(NonZeroU32::new(10).unwrap());

/// Maximum number of failed attempts per minute from one IP address.
const PEER_FAILURES: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// Maximum number of attempts per minute for one e-mail address, including successful attempts. Each attempt takes tens
/// of milliseconds of CPU time, and each successful attempt writes a session.
const ATTEMPTS: Rate = Rate::per_minute(NonZeroU32::new(60).unwrap());

/// A limit of sign-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignInLimit {
    /// Failed attempts for an e-mail address.
    AccountFailures,
    /// Failed attempts from a network address.
    AddressFailures,
    /// All attempts for an e-mail address.
    AccountAttempts,
}

impl SignInLimit {
    /// Returns the name of the limit in the audit.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::AccountFailures => "account_failures",
            Self::AddressFailures => "address_failures",
            Self::AccountAttempts => "account_attempts",
        }
    }
}

/// A limit refuses an attempt. Converts to [`Error::RateLimited`].
#[derive(Debug)]
pub(crate) struct Throttled {
    pub(crate) limit: SignInLimit,
    exceeded: RateLimited,
}

impl From<Throttled> for Error {
    fn from(throttled: Throttled) -> Self {
        throttled.exceeded.into()
    }
}

/// Limits failed sign-ins per account and per peer, and all sign-ins per account.
///
/// An account is the e-mail address in the request, even if no user has this address. So the limit does not reveal
/// which users exist. Requests in open sessions are not limited here.
pub(crate) struct SignInLimits {
    accounts: RateLimiter<KeyDigest>,
    peers: RateLimiter<Peer>,
    attempts: RateLimiter<KeyDigest>,
    clock: Arc<dyn Clock>,
}

impl SignInLimits {
    pub(crate) fn new(clock: impl Clock + 'static) -> Self {
        Self {
            accounts: RateLimiter::new(ACCOUNT_FAILURES),
            peers: RateLimiter::new(PEER_FAILURES),
            attempts: RateLimiter::new(ATTEMPTS),
            clock: Arc::new(clock),
        }
    }

    /// Counts an attempt as failed before its password is verified. So concurrent attempts cannot exceed the limit.
    ///
    /// # Errors
    /// [`Throttled`] if a limit is reached.
    pub(crate) fn begin(&self, email: &str, peer: Option<Peer>) -> Result<CountedAttempt<'_>, Throttled> {
        let refused_by = |limit| move |exceeded| Throttled { limit, exceeded };
        let now = self.clock.monotonic();
        let counted = CountedAttempt {
            limits: self,
            // Only the digest is stored, because an address can have any length. All capitals of an address share the
            // limits, because they lead to the same user.
            account: KeyDigest::of(&email.to_ascii_lowercase()),
            peer,
        };
        let account_failures = self.accounts.check(&counted.account, now).into_result();
        account_failures.map_err(refused_by(SignInLimit::AccountFailures))?;
        let address_failures = counted.peer.map_or(Ok(()), |peer| self.peers.check(&peer, now).into_result());
        if address_failures.is_err() {
            self.accounts.refund(&counted.account);
        }
        address_failures.map_err(refused_by(SignInLimit::AddressFailures))?;
        let account_attempts = self.attempts.check(&counted.account, now).into_result();
        if account_attempts.is_err() {
            counted.refund_failure();
        }
        account_attempts.map_err(refused_by(SignInLimit::AccountAttempts))?;
        Ok(counted)
    }
}

/// An attempt that is counted as failed until it is refunded.
pub(crate) struct CountedAttempt<'a> {
    limits: &'a SignInLimits,
    account: KeyDigest,
    peer: Option<Peer>,
}

impl CountedAttempt<'_> {
    /// Removes the attempt from the counts of failures, because it has not failed.
    pub(crate) fn refund(self) {
        self.refund_failure();
    }

    fn refund_failure(&self) {
        self.limits.accounts.refund(&self.account);
        if let Some(peer) = &self.peer {
            self.limits.peers.refund(peer);
        }
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::{ManualClock, Timestamp};
    use jiff::SignedDuration;

    use super::*;

    fn limits() -> (SignInLimits, ManualClock) {
        let clock = ManualClock::new("2026-11-20T09:00:00Z".parse::<Timestamp>().unwrap());
        (SignInLimits::new(clock.clone()), clock)
    }

    fn address(text: &str) -> Peer {
        text.parse::<std::net::IpAddr>().unwrap().into()
    }

    fn retry_after_seconds(attempt: Result<CountedAttempt<'_>, Throttled>) -> Option<u64> {
        attempt.err().map(|throttled| throttled.exceeded.retry_after.as_secs())
    }

    #[test]
    fn an_account_has_ten_failures_a_minute_from_all_peers_together() {
        let (limits, clock) = limits();
        for peer in 0..10 {
            assert_eq!(retry_after_seconds(limits.begin("ana", Some(address(&format!("192.0.2.{peer}"))))), None);
        }
        assert_eq!(retry_after_seconds(limits.begin("ana", Some(address("198.51.100.1")))), Some(6));
        // The same user signs in whatever the capitals.
        assert_eq!(retry_after_seconds(limits.begin("ANA", Some(address("198.51.100.1")))), Some(6));
        assert_eq!(retry_after_seconds(limits.begin("ben", Some(address("198.51.100.1")))), None);
        clock.advance(SignedDuration::from_secs(6));
        assert_eq!(retry_after_seconds(limits.begin("ana", None)), None);
        assert_eq!(retry_after_seconds(limits.begin("ana", None)), Some(6));
    }

    #[test]
    fn a_wall_clock_change_does_not_reset_the_limit() {
        let (limits, clock) = limits();
        for _ in 0..10 {
            assert_eq!(retry_after_seconds(limits.begin("ana", None)), None);
        }
        for wall in [Timestamp::MAX, Timestamp::MIN] {
            clock.set(wall);
            assert_eq!(retry_after_seconds(limits.begin("ana", None)), Some(6));
        }
    }

    #[test]
    fn a_peer_has_sixty_failures_a_minute_for_all_accounts_together() {
        let (limits, _) = limits();
        for account in 0..60 {
            assert_eq!(retry_after_seconds(limits.begin(&account.to_string(), Some(address("192.0.2.1")))), None);
        }
        for _ in 0..20 {
            assert_eq!(retry_after_seconds(limits.begin("ana", Some(address("192.0.2.1")))), Some(1));
        }
        // The refused attempts of the peer are not counted as failures of the account.
        assert_eq!(retry_after_seconds(limits.begin("ana", Some(address("192.0.2.2")))), None);
    }

    #[test]
    fn successful_attempts_are_not_counted_as_failures() {
        let (limits, clock) = limits();
        for _ in 0..200 {
            limits
                .begin("ana", Some(address("192.0.2.1")))
                .unwrap_or_else(|throttled| panic!("{throttled:?}"))
                .refund();
            clock.advance(SignedDuration::from_secs(1));
        }
    }

    #[test]
    fn an_account_has_sixty_attempts_a_minute_even_if_they_succeed() {
        let (limits, clock) = limits();
        for _ in 0..60 {
            limits
                .begin("ana", Some(address("192.0.2.1")))
                .unwrap_or_else(|throttled| panic!("{throttled:?}"))
                .refund();
        }
        for _ in 0..20 {
            assert_eq!(retry_after_seconds(limits.begin("ana", Some(address("192.0.2.1")))), Some(1));
        }
        // The refused attempts are not counted as failures, neither of the account nor of the peer.
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(retry_after_seconds(limits.begin("ana", Some(address("192.0.2.1")))), None);
        assert_eq!(retry_after_seconds(limits.begin("ben", Some(address("192.0.2.1")))), None);
    }
}

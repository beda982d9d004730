//! Decides whether a token is valid, and whether it may be used. The functions are pure: the storage was read before.

use crate::Timestamp;
use crate::access::{
    Account, Caller, FoundAccessToken, FoundKey, KeyState, Refusal, RefusedToken, TokenId, TokenProof, VerifiedToken,
};
use crate::id::UserId;
use crate::key::{KeyDigest, KeySecret, Scope, ScopeSet};
use crate::limit::RateLimitStatus;
use crate::{Endpoint, Surface};

/// A valid token that is not authorized yet.
pub(crate) struct Authenticated {
    pub(crate) token: TokenId,
    pub(crate) proof: TokenProof,
    /// The last use of the key or grant that the storage has.
    pub(crate) last_used_at: Option<Timestamp>,
    account: Account,
    surface: Surface,
    scopes: ScopeSet,
}

impl Authenticated {
    /// Returns the digest of a key or environment token.
    pub(crate) fn key_digest(&self) -> Option<KeyDigest> {
        match &self.proof {
            TokenProof::Key(digest) => Some(*digest),
            TokenProof::Grant(_) | TokenProof::External(_) => None,
        }
    }
}

/// Decides whether a stored key is valid.
pub(crate) fn check_key(
    found: FoundKey,
    digest: KeyDigest,
    surface: Surface,
    now: Timestamp,
) -> Result<Authenticated, RefusedToken> {
    let FoundKey { key, state, user, account } = found;
    let token = TokenId::Key(key.id.clone());
    let reason = match (state, account) {
        (KeyState::Revoked { .. }, _) => Refusal::Revoked,
        (KeyState::Active, _) if !key.is_current(now) => Refusal::Expired,
        (KeyState::Active, None) => Refusal::UserGone,
        (KeyState::Active, Some(account)) => {
            let (scopes, last_used_at) = (key.scopes, key.last_used_at);
            let proof = TokenProof::Key(digest);
            return Ok(Authenticated { token, proof, last_used_at, account, surface, scopes });
        }
    };
    Err(RefusedToken { token: Some(token), user: Some(user), surface, reason })
}

/// Decides whether an environment token is valid. A valid token grants access to the read path.
pub(crate) fn check_environment_token(
    user: &UserId,
    account: Option<Account>,
    digest: KeyDigest,
) -> Result<Authenticated, RefusedToken> {
    let (token, surface) = (TokenId::Environment(digest), Surface::ReadPath);
    let Some(account) = account else {
        let (token, user) = (Some(token), Some(user.clone()));
        return Err(RefusedToken { token, user, surface, reason: Refusal::UserGone });
    };
    let scopes: ScopeSet = [Scope::McpRead].into_iter().collect();
    let proof = TokenProof::Key(digest);
    Ok(Authenticated { token, proof, last_used_at: None, account, surface, scopes })
}

/// Decides whether a stored access token is valid on an endpoint.
pub(crate) fn check_access_token(
    found: FoundAccessToken,
    digest: KeyDigest,
    surface: Surface,
    endpoint: Endpoint,
    now: Timestamp,
) -> Result<Authenticated, RefusedToken> {
    let token = TokenId::Grant(found.grant);
    let reason = match found.account {
        _ if endpoint != Endpoint::Mcp || found.surface != surface => Refusal::WrongAudience,
        _ if now >= found.expires_at => Refusal::Expired,
        None => Refusal::UserGone,
        Some(account) => {
            let (proof, scopes, last_used_at) = (TokenProof::Grant(digest), found.scopes, found.last_used_at);
            return Ok(Authenticated { token, proof, last_used_at, account, surface, scopes });
        }
    };
    Err(RefusedToken { token: Some(token), user: Some(found.user), surface, reason })
}

/// Decides whether the user of a verified external token exists.
pub(crate) fn check_verified_token(
    verified: VerifiedToken,
    account: Option<Account>,
    secret: KeySecret,
    surface: Surface,
) -> Result<Authenticated, RefusedToken> {
    let VerifiedToken { id, user, scopes } = verified;
    let token = TokenId::External(id);
    let Some(account) = account else {
        let (token, user) = (Some(token), Some(user));
        return Err(RefusedToken { token, user, surface, reason: Refusal::UserGone });
    };
    let proof = TokenProof::External(secret);
    Ok(Authenticated { token, proof, last_used_at: None, account, surface, scopes })
}

/// Decides whether a valid token may be used on its surface. Checks the rate limit, then whether the personal API is
/// switched on, then whether the user has a family.
pub(crate) fn authorize(
    authenticated: Authenticated,
    rate_limit: Option<&RateLimitStatus>,
) -> Result<Caller, RefusedToken> {
    let Authenticated { token, proof, account, surface, scopes, .. } = authenticated;
    let refused = match rate_limit.and_then(RateLimitStatus::retry_after) {
        Some(retry_after) => Err(Refusal::RateLimited { retry_after }),
        None => check_account(&account, surface),
    };
    match refused {
        Ok(()) => Ok(Caller::with_token(account, surface, scopes, token, proof)),
        Err(reason) => Err(RefusedToken { token: Some(token), user: Some(account.user), surface, reason }),
    }
}

fn check_account(account: &Account, surface: Surface) -> Result<(), Refusal> {
    if surface == Surface::V1 && !account.personal_api_enabled {
        Err(Refusal::ApiDisabled)
    } else if account.membership.is_none() {
        Err(Refusal::NoFamily)
    } else {
        Ok(())
    }
}

/// Authorizes a key on `/api/v1` again, in the transaction of a change.
pub(crate) fn reauthorize_key(
    found: Option<FoundKey>,
    digest: KeyDigest,
    scope: &Scope,
    now: Timestamp,
) -> Result<Account, Refusal> {
    reauthorize(check_key(found.ok_or(Refusal::Unknown)?, digest, Surface::V1, now), scope)
}

/// Authorizes an access token on `/api/v1/mcp` again, in the transaction of a change.
pub(crate) fn reauthorize_grant(
    found: Option<FoundAccessToken>,
    digest: KeyDigest,
    scope: &Scope,
    now: Timestamp,
) -> Result<Account, Refusal> {
    let found = found.ok_or(Refusal::Unknown)?;
    reauthorize(check_access_token(found, digest, Surface::V1, Endpoint::Mcp, now), scope)
}

/// Authorizes the user of an external token on `/api/v1/mcp` again, in the transaction of a change.
pub(crate) fn reauthorize_user(account: Option<Account>) -> Result<Account, Refusal> {
    let account = account.ok_or(Refusal::UserGone)?;
    check_account(&account, Surface::V1).map(|()| account)
}

fn reauthorize(checked: Result<Authenticated, RefusedToken>, scope: &Scope) -> Result<Account, Refusal> {
    let caller = checked.and_then(|authenticated| authorize(authenticated, None)).map_err(|refused| refused.reason)?;
    caller.require(scope)?;
    Ok(caller.into_account())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Membership;
    use crate::calendar::Zone;
    use crate::key::{IntegrationKey, KeyMode};
    use crate::limit::{Rate, RateLimiter};

    const NOW: i64 = 1_000_000;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).unwrap()
    }

    fn account(enabled: bool, family: bool) -> Account {
        Account {
            user: "u".parse().unwrap(),
            membership: family.then(|| Membership { family: "f".parse().unwrap(), revision: None }),
            personal_api_enabled: enabled,
            zone: Zone::utc(),
        }
    }

    fn found(state: KeyState, expires_at: Option<i64>, account: Option<Account>) -> FoundKey {
        let key = IntegrationKey {
            id: "k".parse().unwrap(),
            mode: Some(KeyMode::V1Read),
            scopes: KeyMode::V1Read.scopes(),
            name: None,
            hint: String::new(),
            created_at: at(0),
            expires_at: expires_at.map(at),
            last_used_at: None,
        };
        FoundKey { key, state, user: "u".parse().unwrap(), account }
    }

    fn decide(found: FoundKey, surface: Surface) -> Result<Caller, Refusal> {
        let digest = KeyDigest::of("t");
        let checked = check_key(found, digest, surface, at(NOW));
        checked.and_then(|authenticated| authorize(authenticated, None)).map_err(|refused| {
            assert_eq!((refused.surface, refused.token), (surface, Some(TokenId::Key("k".parse().unwrap()))));
            refused.reason
        })
    }

    #[test]
    fn the_state_of_the_key_is_checked_before_the_account() {
        let states = [KeyState::Active, KeyState::Revoked { at: at(1) }];
        let expiries = [None, Some(NOW - 1), Some(NOW), Some(NOW + 1)];
        for state in states {
            for expiry in expiries {
                for surface in [Surface::V1, Surface::ReadPath] {
                    for (enabled, family) in [(true, true), (true, false), (false, true), (false, false)] {
                        let current = expiry.is_none_or(|at| at > NOW);
                        let expected = match (state, current, surface, enabled, family) {
                            (KeyState::Revoked { .. }, ..) => Err(Refusal::Revoked),
                            (_, false, ..) => Err(Refusal::Expired),
                            (_, _, Surface::V1, false, _) => Err(Refusal::ApiDisabled),
                            (_, _, _, _, false) => Err(Refusal::NoFamily),
                            _ => Ok(()),
                        };
                        let decided = decide(found(state, expiry, Some(account(enabled, family))), surface);
                        assert_eq!(
                            decided.map(|_| ()),
                            expected,
                            "{state:?} {expiry:?} {surface:?} {enabled} {family}"
                        );
                    }
                }
                let refused = decide(found(state, expiry, None), Surface::V1).map(|_| ()).unwrap_err();
                assert!(matches!(refused, Refusal::Revoked | Refusal::Expired | Refusal::UserGone), "{refused:?}");
            }
        }
    }

    #[test]
    fn the_audience_of_an_access_token_is_checked_first() {
        for own in Surface::ALL {
            for surface in Surface::ALL {
                for endpoint in [Endpoint::Mcp, Endpoint::Rest] {
                    for expires_at in [NOW - 1, NOW, NOW + 1] {
                        for (enabled, family) in [(true, true), (true, false), (false, true), (false, false)] {
                            let expected = match (own == surface && endpoint == Endpoint::Mcp, surface) {
                                (false, _) => Err(Refusal::WrongAudience),
                                (true, _) if expires_at <= NOW => Err(Refusal::Expired),
                                (true, Surface::V1) if !enabled => Err(Refusal::ApiDisabled),
                                (true, _) if !family => Err(Refusal::NoFamily),
                                (true, _) => Ok(()),
                            };
                            let found = access_token(own, expires_at, Some(account(enabled, family)));
                            let decided = check_access_token(found, KeyDigest::of("t"), surface, endpoint, at(NOW));
                            let decided = decided.and_then(|authenticated| authorize(authenticated, None));
                            assert_eq!(
                                decided.map(|_| ()).map_err(|refused| refused.reason),
                                expected,
                                "{own:?} {surface:?} {endpoint:?} {expires_at} {enabled} {family}"
                            );
                        }
                    }
                }
            }
        }
        let found = access_token(Surface::V1, NOW + 1, None);
        let refused = check_access_token(found, KeyDigest::of("t"), Surface::V1, Endpoint::Mcp, at(NOW)).err().unwrap();
        assert_eq!((refused.reason, refused.user.unwrap().as_str()), (Refusal::UserGone, "u"));
    }

    fn access_token(surface: Surface, expires_at: i64, account: Option<Account>) -> FoundAccessToken {
        FoundAccessToken {
            grant: "g".parse().unwrap(),
            user: "u".parse().unwrap(),
            surface,
            scopes: KeyMode::V1Read.scopes().on(surface),
            expires_at: at(expires_at),
            last_used_at: None,
            account,
        }
    }

    #[test]
    fn the_user_of_an_external_token_needs_the_personal_api_and_a_family_for_a_change() {
        assert!(reauthorize_user(Some(account(true, true))).is_ok());
        assert_eq!(reauthorize_user(Some(account(false, true))), Err(Refusal::ApiDisabled));
        assert_eq!(reauthorize_user(Some(account(true, false))), Err(Refusal::NoFamily));
        assert_eq!(reauthorize_user(None), Err(Refusal::UserGone));
    }

    #[test]
    fn the_rate_limit_is_checked_before_the_account() {
        let rate = Rate::per_minute(1.try_into().unwrap());
        let limiter = RateLimiter::new(rate);
        for granted in [true, false] {
            let found = found(KeyState::Active, None, Some(account(false, false)));
            let rate_limit = limiter.check(&1, std::time::Duration::ZERO);
            let authenticated = check_key(found, KeyDigest::of("t"), Surface::V1, at(NOW)).unwrap();
            let refused = authorize(authenticated, Some(&rate_limit)).unwrap_err();
            let retry_after = std::time::Duration::from_mins(1);
            let expected = if granted { Refusal::ApiDisabled } else { Refusal::RateLimited { retry_after } };
            assert_eq!(refused.reason, expected);
        }
    }

    #[test]
    fn a_scope_applies_to_its_own_surface_only() {
        let mut found = found(KeyState::Active, None, Some(account(true, true)));
        found.key.scopes = KeyMode::V1Full.scopes();
        for surface in Surface::ALL {
            let caller = decide(found.clone(), surface).unwrap();
            for scope in Scope::KNOWN {
                let is_read_path_scope = scope == Scope::McpRead;
                let granted = (surface == Surface::ReadPath) == is_read_path_scope;
                assert_eq!(caller.require(&scope).is_ok(), granted, "{scope} on {surface:?}");
            }
            assert!(caller.require_read().is_ok());
        }
    }

    #[test]
    fn a_change_with_a_key_needs_a_scope_of_the_key() {
        let reauthorize = |scope: &Scope| {
            let found = found(KeyState::Active, None, Some(account(true, true)));
            reauthorize_key(Some(found), KeyDigest::of("t"), scope, at(NOW)).map(drop)
        };
        assert_eq!(reauthorize(&Scope::V1Read), Ok(()));
        let lacking = Scope::V1NotesWrite;
        assert_eq!(reauthorize(&lacking), Err(Refusal::InsufficientScope(lacking.clone())));
    }

    #[test]
    fn an_empty_or_unknown_scope_grants_nothing() {
        let mut found = found(KeyState::Active, None, Some(account(true, true)));
        found.key.scopes = [Scope::Unknown("v1.read ".to_owned())].into_iter().collect();
        let caller = decide(found, Surface::V1).unwrap();
        for scope in Scope::KNOWN {
            assert!(caller.require(&scope).is_err(), "{scope}");
        }
        assert!(caller.require(&Scope::Unknown("v1.read ".to_owned())).is_err());
        assert!(caller.signed_in().is_err());
    }
}

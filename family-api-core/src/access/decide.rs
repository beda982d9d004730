//! The decisions about a token, pure and apart from where their facts come from.

use crate::access::{Authenticated, Caller, TokenId};
use crate::error::Error;
use crate::key::{Scope, ScopeSet};
use crate::storage::{Account, FoundKey, KeyState};
use crate::{Surface, Timestamp};

/// Whether a key that was found is a valid token.
pub(super) fn key(found: FoundKey, surface: Surface, now: Timestamp) -> Result<Authenticated, Error> {
    let FoundKey { key, state, account } = found;
    match (state, account) {
        (KeyState::Active, Some(account)) if key.is_current(now) => {
            Ok(Authenticated { account, surface, scopes: key.scopes, token: TokenId::Key(key.id) })
        }
        _ => Err(Error::InvalidToken),
    }
}

/// An environment token opens the read path for its user, if there is one.
pub(super) fn environment(account: Option<Account>, token: TokenId) -> Result<Authenticated, Error> {
    let account = account.ok_or(Error::InvalidToken)?;
    let scopes: ScopeSet = [Scope::McpRead].into_iter().collect();
    Ok(Authenticated { account, surface: Surface::ReadPath, scopes, token })
}

/// Whether the user of a valid token may be acted for here: the flag first, then the family.
pub(super) fn enter(authenticated: Authenticated) -> Result<Caller, Error> {
    let Authenticated { account, surface, scopes, token } = authenticated;
    if surface == Surface::V1 && !account.personal_api_enabled {
        return Err(Error::ApiDisabled);
    }
    if account.membership.is_none() {
        return Err(Error::NoFamily);
    }
    Ok(Caller::with_token(account, surface, scopes, token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Zone;
    use crate::key::{IntegrationKey, KeyMode};
    use crate::storage::Membership;

    const NOON: i64 = 1_000_000;

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
        FoundKey { key, state, account }
    }

    fn decide(found: FoundKey, surface: Surface) -> Result<Caller, &'static str> {
        key(found, surface, at(NOON)).and_then(enter).map_err(|error| error.code().as_str())
    }

    #[test]
    fn every_combination_of_state_expiry_user_flag_and_family_is_decided() {
        let states = [KeyState::Active, KeyState::Revoked { at: at(1) }];
        let expiries = [None, Some(NOON - 1), Some(NOON), Some(NOON + 1)];
        for state in states {
            for expiry in expiries {
                for surface in [Surface::V1, Surface::ReadPath] {
                    for (enabled, family) in [(true, true), (true, false), (false, true), (false, false)] {
                        let valid = state == KeyState::Active && expiry.is_none_or(|at| at > NOON);
                        let expected = match (valid, surface, enabled, family) {
                            (false, ..) => Err("invalid_token"),
                            (true, Surface::V1, false, _) => Err("api_disabled"),
                            (true, _, _, false) => Err("no_family"),
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
                assert_eq!(decide(found(state, expiry, None), Surface::V1).map(|_| ()), Err("invalid_token"));
            }
        }
    }

    #[test]
    fn a_scope_counts_on_its_own_surface_only() {
        let mut found = found(KeyState::Active, None, Some(account(true, true)));
        found.key.scopes = KeyMode::V1ReadWrite.scopes();
        for surface in [Surface::V1, Surface::ReadPath] {
            let caller = decide(found.clone(), surface).unwrap();
            for scope in Scope::KNOWN {
                let of_the_read_path = scope == Scope::McpRead;
                let granted = (surface == Surface::ReadPath) == of_the_read_path;
                assert_eq!(caller.require(&scope).is_ok(), granted, "{scope} on {surface:?}");
            }
            assert!(caller.require_read().is_ok());
        }
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
        assert!(caller.require_session().is_err());
    }
}

//! Grants: the last rotation, by which a misuse is recognised, and the list of misuses.

use family_api_core::Surface;
use family_api_core::connection::{Misuse, MisusedConnection};
use family_api_core::grant::Rotation;
use family_api_core::jiff::SignedDuration;
use family_api_core::key::{KeyMode, Scope, ScopeSet};
use family_api_core::storage::{ExchangedSecret, GrantLookup, NewGrant, TokenIssue};

use crate::GrantsSubject;
use crate::fixture::{assert_same, id, minute, seconds, signed_in};
use crate::grants::{
    delete_ended, find, insert, insert_with_tokens, issue, lineage_digest, new_grant, refresh_of, token_issue,
};

pub(super) async fn a_grant_has_its_last_rotation(subject: &dyn GrantsSubject) {
    insert_with_tokens(subject).await;
    let find = async || find(subject, GrantLookup::Lineage(&lineage_digest("g1"))).await.unwrap().rotation;
    assert_eq!(find().await, None);
    let narrow: ScopeSet = [Scope::V1Read].into_iter().collect();
    for (old, new, now, scopes) in
        [("t1", "t2", seconds(40), KeyMode::V1Full.scopes().on(Surface::V1)), ("t2", "t3", seconds(50), narrow)]
    {
        let ExchangedSecret::RefreshToken { digest, nonce } = refresh_of(old) else { unreachable!() };
        let access_expires_at = now.saturating_add(SignedDuration::from_hours(1));
        let rotation =
            Rotation { predecessor: digest, nonce, rotated_at: now, scopes: scopes.clone(), access_expires_at };
        let refresh = TokenIssue { access_expires_at, scopes, now, ..token_issue("g1", refresh_of(old), new) };
        assert!(issue(subject, &refresh).await);
        assert_eq!(find().await, Some(rotation));
        assert!(!issue(subject, &token_issue("g1", refresh_of(old), "late")).await);
    }
}

pub(super) async fn misused_grants_are_listed_last_ended_first(subject: &dyn GrantsSubject) {
    let grants = subject.grants();
    for name in ["a", "b", "c", "early", "live", "revoked", "by-client"] {
        insert(subject, &NewGrant { expires_at: minute(60), ..new_grant(name, "ada") }).await;
    }
    insert(subject, &new_grant("bobs", "bob")).await;
    let ends = [
        ("early", 1, Some(Misuse::CodeReused)),
        ("a", 3, Some(Misuse::CodeMisused)),
        ("c", 2, Some(Misuse::RefreshTokenReused)),
        ("b", 2, Some(Misuse::CodeReused)),
        ("by-client", 3, None),
    ];
    for (name, minutes, misuse) in ends {
        assert!(grants.end_grant(&id(name), minute(minutes), misuse).await.unwrap());
    }
    grants.revoke_grant(&signed_in("ada"), &id("revoked"), minute(3)).await.unwrap();
    let listed = async |user: &str, limit| grants.list_misused_grants(&id(user), minute(1), limit).await.unwrap();
    let misused = |name: &str, minutes, misuse| MisusedConnection {
        id: id(name),
        client: Some("Claude".to_owned()),
        host: "example.com".to_owned(),
        ended_at: minute(minutes),
        misuse,
    };
    let expected = [
        misused("a", 3, Misuse::CodeMisused),
        misused("c", 2, Misuse::RefreshTokenReused),
        misused("b", 2, Misuse::CodeReused),
    ];
    assert_eq!(listed("ada", 10).await, expected);
    assert_eq!(listed("ada", 2).await, expected[..2]);
    assert_eq!(listed("bob", 10).await, []);
}

pub(super) async fn the_last_misuses_of_a_user_are_kept(subject: &dyn GrantsSubject) {
    let grants = subject.grants();
    for n in 0..12 {
        let name = format!("g{n}");
        insert(subject, &new_grant(&name, "ada")).await;
        assert!(grants.end_grant(&id(&name), seconds(n), Some(Misuse::CodeReused)).await.unwrap());
    }
    let listed = async || grants.list_misused_grants(&id("ada"), minute(-1), 50).await.unwrap();
    let ids = |listed: Vec<MisusedConnection>| listed.iter().map(|it| it.id.to_string()).collect::<Vec<_>>();
    let last: Vec<_> = (2..12).rev().map(|n| format!("g{n}")).collect();
    assert_eq!(ids(listed().await), last);
    assert_same(&delete_ended(subject, minute(1), seconds(4), 50).await, &5);
    assert_eq!(ids(listed().await), last[..7]);
}

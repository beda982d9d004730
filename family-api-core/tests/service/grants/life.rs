//! The life of a connection: its tokens, their expiry, and the last use.

use family_api_core::audit::AuditEvent;
use family_api_core::grant::{Refresh, TokenError};
use family_api_core::key::{KeyMode, Scope, ScopeSet};
use family_api_core::limit::Rate;
use family_api_core::resource::{Note, Verb};
use family_api_core::{Endpoint, FamilyApi, Precondition, Surface};
use jiff::SignedDuration;

use crate::fixture::{Fixture, rename_note, session};
use crate::grants::client::{
    CLIENT, admit_mcp, api, approve, assert_invalid_grant, connect, connected, connections, present, redeem, refresh,
    refresh_of, refusal, setup,
};

const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);
const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

#[tokio::test]
async fn a_connected_client_acts_for_the_user_until_it_is_revoked() {
    let (fixture, api, tokens) = connected().await;
    assert_eq!((tokens.expires_in, &tokens.scopes), (3_600, &KeyMode::V1ReadWrite.scopes().on(Surface::V1)));
    let caller = present(&api, &tokens).await.unwrap();
    assert_eq!(caller.user().as_str(), "ana");
    rename_note(&api, &caller, "Stew").await;

    let listed = connections(&api, "ana").await;
    assert_eq!((listed.len(), listed[0].client.as_deref(), &*listed[0].host), (1, Some("Claude"), "claude.example"));
    assert_eq!(connections(&api, "ben").await, []);
    let session = session(&api, "ana").await;
    let revoked = api.connections(&session).unwrap().revoke(&"g1".into()).await.unwrap();
    assert_eq!((revoked.id.as_str(), revoked.revoked_at), ("g1", fixture.now()));
    assert_eq!(refusal(&api, &tokens).await, "invalid_token");
    assert_invalid_grant(refresh(&api, &tokens).await);
    let again = api.connections(&session).unwrap().revoke(&"g1".into()).await.unwrap_err();
    assert_eq!(again.code().as_str(), "not_found");

    let names: Vec<_> = fixture.audit_log.take_events().iter().map(AuditEvent::name).collect();
    assert_eq!(names, ["connection_created", "record_updated", "connection_revoked", "token_refused"]);
}

#[tokio::test]
async fn a_change_by_a_client_is_audited_with_its_connection() {
    let (fixture, api, tokens) = connected().await;
    let caller = present(&api, &tokens).await.unwrap();
    fixture.audit_log.take_events();
    rename_note(&api, &caller, "Stew").await;
    let events = format!("{:?}", fixture.audit_log.take_events());
    assert!(events.contains("RecordUpdated") && events.contains("Grant(GrantId(g1))"), "{events}");
}

#[tokio::test]
async fn a_change_is_refused_if_the_connection_was_revoked_meanwhile() {
    let (_, api, tokens) = connected().await;
    let caller = present(&api, &tokens).await.unwrap();
    let session = session(&api, "ana").await;
    api.connections(&session).unwrap().revoke(&"g1".into()).await.unwrap();
    let note = "note".into();
    let deleted = api.records::<Note>(&caller, Verb::Delete).unwrap().delete(&note, &Precondition::None).await;
    assert_eq!(deleted.unwrap_err().code().as_str(), "invalid_token");
}

#[tokio::test]
async fn a_code_expires_after_a_minute() {
    let (fixture, api) = setup().await;
    let codes = [approve(&api, "ana", "g1", Surface::V1).await, approve(&api, "ana", "g2", Surface::V1).await];
    fixture.clock.advance(SignedDuration::from_secs(60) - MILLISECOND);
    assert!(redeem(&api, &codes[0]).await.is_ok());
    fixture.clock.advance(MILLISECOND);
    assert_invalid_grant(redeem(&api, &codes[1]).await);
    assert_eq!(connections(&api, "ana").await.len(), 1);
}

#[tokio::test]
async fn an_access_token_expires_after_an_hour() {
    let (fixture, api, tokens) = connected().await;
    fixture.clock.advance(HOUR - MILLISECOND);
    assert!(present(&api, &tokens).await.is_ok());
    fixture.clock.advance(MILLISECOND);
    assert_eq!(refusal(&api, &tokens).await, "invalid_token");
    let next = refresh(&api, &tokens).await.unwrap();
    assert!(present(&api, &next).await.is_ok());
}

#[tokio::test]
async fn a_refresh_token_expires_sixty_days_after_the_last_refresh() {
    let (fixture, api, mut tokens) = connected().await;
    for _ in 0..2 {
        fixture.clock.advance(DAY * 60 - MILLISECOND);
        tokens = refresh(&api, &tokens).await.unwrap();
    }
    fixture.clock.advance(DAY * 60);
    assert_invalid_grant(refresh(&api, &tokens).await);
    assert_eq!(connections(&api, "ana").await, []);
}

#[tokio::test]
async fn a_refresh_can_narrow_the_scopes_but_not_widen_them() {
    let (_, api, tokens) = connected().await;
    let with_scopes = |tokens: &_, scopes: &[Scope]| Refresh {
        scopes: Some(scopes.iter().cloned().collect::<ScopeSet>()),
        ..refresh_of(tokens)
    };
    let grants = api.grants().unwrap();
    for wider in [&[Scope::V1Read, Scope::McpRead][..], &[]] {
        let refused = grants.refresh(with_scopes(&tokens.refresh_token, wider)).await;
        assert!(matches!(refused, Err(TokenError::InvalidScope)), "{refused:?}");
    }
    let narrow = grants.refresh(with_scopes(&tokens.refresh_token, &[Scope::V1Read])).await.unwrap();
    let caller = present(&api, &narrow).await.unwrap();
    assert!(caller.has_scope(&Scope::V1Read) && !caller.has_scope(&Scope::V1NotesWrite));
    let full = refresh(&api, &narrow).await.unwrap();
    assert!(present(&api, &full).await.unwrap().has_scope(&Scope::V1NotesWrite));
}

#[tokio::test]
async fn an_access_token_is_valid_on_its_own_endpoint_only() {
    let (_, api) = setup().await;
    for (request, own) in [("g1", Surface::V1), ("g2", Surface::ReadPath)] {
        let tokens = connect(&api, "ana", request, own).await;
        for surface in Surface::ALL {
            for endpoint in [Endpoint::Mcp, Endpoint::Rest] {
                let header = format!("Bearer {}", tokens.access_token.expose());
                let admitted = api.admit([header.as_bytes()], surface, endpoint).await.caller;
                let expected = (surface, endpoint) == (own, Endpoint::Mcp);
                assert_eq!(admitted.is_ok(), expected, "{own:?} on {surface:?} {endpoint:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_flag_and_the_family_of_the_user_apply_to_clients() {
    let (_, api) = setup().await;
    let code = async |user: &str, request: &str, surface| {
        let tokens = connect(&api, user, request, surface).await;
        let admission = admit_mcp(&api, tokens.access_token.expose(), surface).await;
        admission.caller.map(drop).map_err(|error| error.code().as_str())
    };
    assert_eq!(code("dan", "g1", Surface::V1).await, Err("api_disabled"));
    assert_eq!(code("dan", "g2", Surface::ReadPath).await, Ok(()));
    assert_eq!(code("cleo", "g3", Surface::ReadPath).await, Err("no_family"));
}

#[tokio::test]
async fn the_rate_limit_counts_a_connection_over_all_its_tokens() {
    let fixture = Fixture::new().await;
    let grants = std::sync::Arc::new(fixture.storage.memory.clone());
    let api = fixture.builder().grants(grants).rate_limit(Rate::per_minute(2.try_into().unwrap())).build();
    let tokens = connect(&api, "ana", "g1", Surface::V1).await;
    assert!(present(&api, &tokens).await.is_ok());
    let next = refresh(&api, &tokens).await.unwrap();
    assert!(present(&api, &next).await.is_ok());
    assert_eq!(refusal(&api, &next).await, "rate_limited");
    let other = connect(&api, "ana", "g2", Surface::V1).await;
    assert!(present(&api, &other).await.is_ok());
}

#[tokio::test]
async fn the_last_use_of_a_connection_is_written_in_the_background() {
    let (fixture, api, tokens) = connected().await;
    let last_use = async |api: &FamilyApi| connections(api, "ana").await[0].last_used_at;
    present(&api, &tokens).await.unwrap();
    assert_eq!(last_use(&api).await, None);
    api.record_uses().await.unwrap();
    let minute = "2026-11-20T10:15:00Z".parse().unwrap();
    assert_eq!(last_use(&api).await, Some(minute));
    let next = refresh(&api, &tokens).await.unwrap();
    fixture.clock.advance(SignedDuration::from_mins(1));
    present(&api, &next).await.unwrap();
    api.record_uses().await.unwrap();
    assert_eq!(last_use(&api).await, Some(minute.saturating_add(SignedDuration::from_mins(1))));
}

#[tokio::test(start_paused = true)]
async fn an_ended_connection_is_purged_after_an_hour() {
    let (fixture, api, tokens) = connected().await;
    let session = session(&api, "ana").await;
    api.connections(&session).unwrap().revoke(&"g1".into()).await.unwrap();
    let is_stored = async || {
        let refused = refresh(&api, &tokens).await.unwrap_err().to_string();
        !refused.contains("unknown")
    };
    for (hours, expected) in [(HOUR - MILLISECOND, true), (HOUR, false)] {
        fixture.clock.advance(hours);
        crate::fixture::session(&api, "ana").await;
        tokio::time::sleep(std::time::Duration::from_mins(1)).await;
        assert_eq!(is_stored().await, expected);
    }
}

#[tokio::test]
async fn a_client_can_end_its_connection_with_either_token() {
    let (fixture, api) = setup().await;
    let grants = api.grants().unwrap();
    for (request, by_access_token) in [("g1", true), ("g2", false)] {
        let tokens = connect(&api, "ana", request, Surface::V1).await;
        let token = if by_access_token { tokens.access_token.expose() } else { tokens.refresh_token.expose() };
        for (token, client) in [(token, Some("another client")), ("famr_unknown", None)] {
            let refused = grants.revoke_token(token, client).await;
            assert!(matches!(refused, Err(TokenError::InvalidGrant(_))), "{refused:?}");
        }
        assert!(present(&api, &tokens).await.is_ok());
        fixture.audit_log.take_events();
        grants.revoke_token(token, Some(CLIENT)).await.unwrap();
        let events = format!("{:?}", fixture.audit_log.take_events());
        assert!(events.contains("ConnectionEnded") && events.contains("RevokedByClient"), "{events}");
        assert_eq!(refusal(&api, &tokens).await, "invalid_token");
        fixture.audit_log.take_events();
        let again = grants.revoke_token(token, Some(CLIENT)).await;
        assert!(matches!(again, Err(TokenError::InvalidGrant(_))), "{again:?}");
        assert!(fixture.audit_log.take_events().is_empty());
    }
}

#[tokio::test]
async fn all_apis_over_one_storage_share_the_signing_key() {
    let fixture = Fixture::new().await;
    let (one, two) = (api(&fixture), api(&fixture));
    let signed = one.grants().unwrap().signing_key().await.unwrap().sign("test", b"payload");
    let key = two.grants().unwrap().signing_key().await.unwrap();
    assert_eq!(key.verify("test", &signed).as_deref(), Some(&b"payload"[..]));
}

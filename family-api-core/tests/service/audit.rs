//! Audit events: which operations cause an event, and which ids it contains.

use family_api_core::access::{Refusal, TokenId};
use family_api_core::audit::AuditEvent;
use family_api_core::change::{NoteChange, ProfileChange, TaskChange};
use family_api_core::id::{FamilyId, KeyId, UserId};
use family_api_core::key::{KeyDigest, KeyDraft, KeyMode, RevokedAccess, Scope};
use family_api_core::limit::Rate;
use family_api_core::resource::{Event, Note, RecordKind, Task, Verb};
use family_api_core::validation::Reference;
use family_api_core::{Endpoint, Precondition, Surface};
use jiff::SignedDuration;

use crate::fixture::{ENVIRONMENT_TOKEN, Fixture, UNKNOWN_USER_TOKEN, authorize, create_key, rename_note, session};

fn ana() -> UserId {
    "ana".parse().unwrap()
}

/// Formats events for comparison. Tests cannot construct `#[non_exhaustive]` events.
fn debug_strings(events: &[AuditEvent]) -> Vec<String> {
    events.iter().map(|event| format!("{event:?}")).collect()
}

/// Returns the token, user, surface and reason of the only event, a refusal.
fn only_refusal(events: Vec<AuditEvent>) -> (Option<TokenId>, Option<UserId>, Surface, Refusal) {
    match <[AuditEvent; 1]>::try_from(events).unwrap() {
        [AuditEvent::TokenRefused(refused)] => (refused.token, refused.user, refused.surface, refused.reason),
        [other] => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn creation_first_use_and_revocation_of_a_key_are_audited() {
    let (fixture, api) = Fixture::with_api().await;
    let created = create_key(&api, "ana").await;
    let (user, key, scopes) = (ana(), created.id, KeyMode::V1ReadWrite.scopes());
    let created_event = format!("KeyCreated {{ user: {user:?}, key: {key:?}, scopes: {scopes:?} }}");
    assert_eq!(debug_strings(&fixture.audit_log.take_events()), [created_event]);

    authorize(&api, created.token.expose(), Surface::ReadPath).await.unwrap();
    assert_eq!(
        debug_strings(&fixture.audit_log.take_events()),
        [format!("KeyFirstUsed {{ user: {user:?}, key: {key:?} }}")]
    );

    let session = session(&api, "ana").await;
    api.keys(&session).unwrap().revoke(&Reference::from(&key)).await.unwrap();
    assert_eq!(
        debug_strings(&fixture.audit_log.take_events()),
        [format!("KeyRevoked {{ user: {user:?}, key: {:?} }}", Some(&key))]
    );
    api.keys(&session).unwrap().revoke(&Reference::from(&key)).await.unwrap_err();
    assert_eq!(fixture.audit_log.take_events(), []);
}

#[tokio::test]
async fn the_first_use_of_a_key_is_audited_once() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    authorize(&api, token.expose(), Surface::V1).await.unwrap();
    fixture.audit_log.take_events();
    for _ in 0..3 {
        authorize(&api, token.expose(), Surface::V1).await.unwrap();
        fixture.clock.advance(SignedDuration::from_mins(1));
    }
    api.record_uses().await.unwrap();
    let restarted = fixture.api();
    for api in [&api, &restarted] {
        authorize(api, token.expose(), Surface::V1).await.unwrap();
    }
    authorize(&api, ENVIRONMENT_TOKEN, Surface::ReadPath).await.unwrap();
    assert_eq!(fixture.audit_log.take_events(), []);
}

#[tokio::test]
async fn enabling_and_disabling_the_personal_api_is_audited() {
    let (fixture, api) = Fixture::with_api().await;
    let (on, off) = (ProfileChange::new().enable_personal_api(), ProfileChange::new().disable_personal_api());
    for (change, expected) in [
        (&off, Some("personal_api_disabled")),
        (&ProfileChange::new(), None),
        (&on, Some("personal_api_enabled")),
        (&on, Some("personal_api_enabled")),
    ] {
        let session = session(&api, "dan").await;
        api.profile(&session).unwrap().update(change).await.unwrap();
        let names: Vec<_> = fixture.audit_log.take_events().iter().map(AuditEvent::name).collect();
        assert_eq!(names, Vec::from_iter(expected), "{change:?}");
    }
}

#[tokio::test]
async fn a_new_time_zone_is_audited_beside_the_personal_api() {
    let (fixture, api) = Fixture::with_api().await;
    let session = session(&api, "dan").await;
    let kyiv = ProfileChange::new().set_time_zone("Europe/Kyiv".parse().unwrap());
    for (change, expected) in [
        (kyiv.clone(), &["time_zone_changed"][..]),
        (kyiv.enable_personal_api(), &["personal_api_enabled", "time_zone_changed"]),
    ] {
        let profile = api.profile(&session).unwrap().update(&change).await.unwrap();
        assert_eq!(profile.time_zone.as_str(), "Europe/Kyiv");
        let names: Vec<_> = fixture.audit_log.take_events().iter().map(AuditEvent::name).collect();
        assert_eq!(names, expected, "{change:?}");
    }
}

#[tokio::test]
async fn the_end_of_all_access_is_one_event_with_its_numbers() {
    let (fixture, api) = Fixture::with_api().await;
    let session = session(&api, "ana").await;
    for _ in 0..2 {
        create_key(&api, "ana").await;
    }
    fixture.audit_log.take_events();
    let revoked = api.keys(&session).unwrap().revoke_access().await.unwrap();
    assert_eq!(revoked, RevokedAccess { keys: 2, connections: 0, feeds: 0 });
    let expected = "AccessRevoked { user: UserId(ana), revoked: RevokedAccess { keys: 2, connections: 0, feeds: 0 } }";
    assert_eq!(debug_strings(&fixture.audit_log.take_events()), [expected]);
}

#[tokio::test]
async fn changes_and_deletions_with_a_key_are_audited() {
    let (fixture, api) = Fixture::with_api().await;
    let created = create_key(&api, "ana").await;
    let caller = authorize(&api, created.token.expose(), Surface::V1).await.unwrap();
    fixture.audit_log.take_events();
    let (user, token, unconditional) = (ana(), TokenId::Key(created.id), Precondition::None);
    let note = Reference::from("note");

    let change = TaskChange::new().title("Buy bread");
    let tasks = api.records::<Task>(&caller, Verb::Update).unwrap();
    tasks.update(&Reference::from("task"), change.build().unwrap(), &unconditional).await.unwrap();
    rename_note(&api, &caller, "Stew").await;
    api.records::<Note>(&caller, Verb::Delete).unwrap().delete(&note, &unconditional).await.unwrap();
    let family: FamilyId = "f".parse().unwrap();
    let event = |what: &str, kind: RecordKind, id: &str| {
        let record = format!("RecordId {{ kind: {kind:?}, id: {:?} }}", Some(id));
        format!("{what} {{ user: {user:?}, token: {token:?}, family: {family:?}, record: {record} }}")
    };
    assert_eq!(
        debug_strings(&fixture.audit_log.take_events()),
        [
            event("RecordUpdated", RecordKind::Task, "task"),
            event("RecordUpdated", RecordKind::Note, "note"),
            event("RecordDeleted", RecordKind::Note, "note"),
        ]
    );
}

#[tokio::test]
async fn failed_or_empty_changes_and_session_changes_are_not_audited() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    let caller = authorize(&api, token.expose(), Surface::V1).await.unwrap();
    fixture.audit_log.take_events();
    let (task, note, unconditional) = (Reference::from("task"), Reference::from("note"), Precondition::None);
    let stale = Precondition::if_match([&b"\"stale\""[..]]);
    let tasks = api.records::<Task>(&caller, Verb::Update).unwrap();
    let notes = api.records::<Note>(&caller, Verb::Update).unwrap();
    tasks.update(&task, TaskChange::new().build().unwrap(), &unconditional).await.unwrap();
    let unassignable = TaskChange::new().assignee(&"nobody".parse().unwrap()).build().unwrap();
    tasks.update(&task, unassignable, &unconditional).await.unwrap_err();
    tasks.update(&task, TaskChange::new().title("Buy bread").build().unwrap(), &stale).await.unwrap_err();
    notes.update(&note, NoteChange::new().build().unwrap(), &unconditional).await.unwrap();
    notes
        .update(&Reference::from("missing"), NoteChange::new().pin().build().unwrap(), &unconditional)
        .await
        .unwrap_err();
    notes.delete(&note, &stale).await.unwrap_err();

    let session = session(&api, "ana").await;
    rename_note(&api, &session, "Stew").await;
    api.records::<Note>(&session, Verb::Delete).unwrap().delete(&note, &unconditional).await.unwrap();
    assert_eq!(fixture.audit_log.take_events(), []);
}

#[tokio::test]
async fn the_refusal_of_an_unknown_token_is_audited_with_its_reason() {
    let (fixture, api) = Fixture::with_api().await;
    let unknown_token = |surface, reason| (None, None, surface, reason);
    for surface in [Surface::V1, Surface::ReadPath] {
        for malformed in [&[&b"Bearer a b"[..]][..], &[b"Bearer t", b"Bearer t"]] {
            let refused = api.admit(malformed.iter().copied(), surface, Endpoint::Rest).await.caller.unwrap_err();
            assert_eq!(refused.code().as_str(), "invalid_token");
            assert_eq!(only_refusal(fixture.audit_log.take_events()), unknown_token(surface, Refusal::Malformed));
        }
        assert_eq!(api.admit([], surface, Endpoint::Rest).await.caller.unwrap_err().code().as_str(), "missing_token");
        assert_eq!(fixture.audit_log.take_events(), []);
        authorize(&api, "fam_mistyped", surface).await.unwrap_err();
        assert_eq!(only_refusal(fixture.audit_log.take_events()), unknown_token(surface, Refusal::Malformed));
        authorize(&api, "other-token", surface).await.unwrap_err();
        assert_eq!(only_refusal(fixture.audit_log.take_events()), unknown_token(surface, Refusal::Unknown));
    }
    authorize(&api, ENVIRONMENT_TOKEN, Surface::V1).await.unwrap_err();
    assert_eq!(only_refusal(fixture.audit_log.take_events()), unknown_token(Surface::V1, Refusal::Unknown));
    authorize(&api, UNKNOWN_USER_TOKEN, Surface::ReadPath).await.unwrap_err();
    let token = TokenId::Environment(KeyDigest::of(UNKNOWN_USER_TOKEN));
    let expected = (Some(token), Some("unknown-user".parse().unwrap()), Surface::ReadPath, Refusal::UserGone);
    assert_eq!(only_refusal(fixture.audit_log.take_events()), expected);
}

#[tokio::test]
async fn the_refusal_of_a_key_is_audited_with_its_user_and_reason() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().rate_limit(Rate::per_minute(1.try_into().unwrap())).build();
    let refusal_of = |user: &str, key: &KeyId, reason| {
        (Some(TokenId::Key(key.clone())), Some(user.parse::<UserId>().unwrap()), Surface::V1, reason)
    };
    for (user, reason) in [("dan", Refusal::ApiDisabled), ("cleo", Refusal::NoFamily)] {
        let created = create_key(&api, user).await;
        fixture.audit_log.take_events();
        authorize(&api, created.token.expose(), Surface::V1).await.unwrap_err();
        assert_eq!(only_refusal(fixture.audit_log.take_events()), refusal_of(user, &created.id, reason));
        authorize(&api, created.token.expose(), Surface::V1).await.unwrap_err();
        let retry_after = std::time::Duration::from_mins(1);
        assert_eq!(
            only_refusal(fixture.audit_log.take_events()),
            refusal_of(user, &created.id, Refusal::RateLimited { retry_after })
        );
    }
    let session = session(&api, "ana").await;
    let expires_at = "2026-11-20T10:16:30Z".parse().unwrap();
    let draft = KeyDraft::new(KeyMode::V1Read).expires_at(expires_at);
    let expired = api.keys(&session).unwrap().create(draft).await.unwrap();
    fixture.clock.set(expires_at);
    let revoked = create_key(&api, "ana").await;
    api.keys(&session).unwrap().revoke(&Reference::from(&revoked.id)).await.unwrap();
    fixture.audit_log.take_events();
    for (created, reason) in [(expired, Refusal::Expired), (revoked, Refusal::Revoked)] {
        authorize(&api, created.token.expose(), Surface::V1).await.unwrap_err();
        assert_eq!(only_refusal(fixture.audit_log.take_events()), refusal_of("ana", &created.id, reason));
    }
}

#[tokio::test]
async fn a_missing_scope_is_audited() {
    let (fixture, api) = Fixture::with_api().await;
    let session = session(&api, "ana").await;
    let created = api.keys(&session).unwrap().create(KeyDraft::new(KeyMode::McpRead)).await.unwrap();
    let caller = authorize(&api, created.token.expose(), Surface::V1).await.unwrap();
    fixture.audit_log.take_events();
    let token = TokenId::Key(created.id);
    let refusal_of = |scope| (Some(token.clone()), Some(ana()), Surface::V1, Refusal::InsufficientScope(scope));
    api.read(&caller).unwrap_err();
    assert_eq!(only_refusal(fixture.audit_log.take_events()), refusal_of(Scope::V1Read));
    api.profile(&caller).unwrap_err();
    assert_eq!(only_refusal(fixture.audit_log.take_events()), refusal_of(Scope::V1Read));
    api.records::<Task>(&caller, Verb::Update).unwrap_err();
    assert_eq!(only_refusal(fixture.audit_log.take_events()), refusal_of(Scope::V1TasksWrite));
    api.records::<Event>(&caller, Verb::Create).unwrap_err();
    assert_eq!(only_refusal(fixture.audit_log.take_events()), refusal_of(Scope::V1EventsWrite));
}

#[tokio::test]
async fn audit_events_contain_no_secret_and_no_record_content() {
    let (fixture, api) = Fixture::with_api().await;
    let created = create_key(&api, "ana").await;
    let caller = authorize(&api, created.token.expose(), Surface::V1).await.unwrap();
    rename_note(&api, &caller, "Stew").await;
    let mistyped = format!("{}x", created.token.expose());
    for token in [mistyped.as_str(), "other-token", ENVIRONMENT_TOKEN] {
        authorize(&api, token, Surface::V1).await.unwrap_err();
    }
    let events = fixture.audit_log.take_events();
    assert_eq!(events.len(), 6, "{events:?}");
    let (events_text, secret) = (format!("{events:?}"), &created.token.expose()[4..]);
    for secret_text in [secret, "other-token", "Stew", "Soup", "Grafana", "example.org", ENVIRONMENT_TOKEN] {
        assert!(!events_text.contains(secret_text), "{secret_text} is in {events_text}");
    }
}

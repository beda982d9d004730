//! Entity tags of reads, and the storage calls of an unchanged read.

use std::collections::HashSet;

use bytes::Bytes;
use family_api_core::access::Caller;
use family_api_core::calendar::parse_date;
use family_api_core::resource::{ReadQuery, TaskFilter};
use family_api_core::{ContentCoding, EntityTag, EntityTags, FamilyApi, ReadOutcome, Surface};
use jiff::SignedDuration;

use crate::fixture::{ENVIRONMENT_TOKEN, Fixture, authorize, create_key, rename_note, session};

pub(crate) fn all_queries() -> Vec<ReadQuery> {
    let (from, to) = (parse_date("2026-11-20"), parse_date("2026-11-21"));
    vec![
        ReadQuery::Tasks(TaskFilter::Open),
        ReadQuery::Tasks(TaskFilter::Done),
        ReadQuery::Tasks(TaskFilter::All),
        ReadQuery::Events { from: None, to: None },
        ReadQuery::Events { from, to: None },
        ReadQuery::Events { from: None, to: from },
        ReadQuery::Events { from, to },
        ReadQuery::Occurrences { from: from.unwrap(), to: from.unwrap() },
        ReadQuery::Occurrences { from: from.unwrap(), to: to.unwrap() },
        ReadQuery::Shopping,
        ReadQuery::Notes,
        ReadQuery::TaskStats,
    ]
}

async fn read(api: &FamilyApi, caller: &Caller, query: &ReadQuery) -> (EntityTag, Bytes) {
    match api.read(caller).unwrap().get(query, ContentCoding::Identity, None).await.unwrap() {
        ReadOutcome::Document { tag, body, .. } => (tag, body),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not in the request"),
    }
}

async fn tag(api: &FamilyApi, caller: &Caller, query: &ReadQuery) -> EntityTag {
    read(api, caller, query).await.0
}

async fn tags(api: &FamilyApi, caller: &Caller) -> Vec<EntityTag> {
    let mut tags = Vec::new();
    for query in &all_queries() {
        tags.push(tag(api, caller, query).await);
    }
    tags
}

/// Reads the document. Returns [`ReadOutcome::Unchanged`] if its entity tag is among the `known` tags.
async fn read_unless(api: &FamilyApi, caller: &Caller, query: &ReadQuery, known: &EntityTags) -> ReadOutcome {
    api.read(caller).unwrap().get(query, ContentCoding::Identity, Some(known)).await.unwrap()
}

/// Authenticates the token and reads, as in a request.
async fn authorize_and_read_unless(api: &FamilyApi, token: &str, query: &ReadQuery, known: &EntityTag) -> ReadOutcome {
    let caller = authorize(api, token, Surface::V1).await.unwrap();
    read_unless(api, &caller, query, &EntityTags::single(known.clone())).await
}

#[tokio::test]
async fn the_entity_tag_is_the_same_for_every_credential_of_a_user() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    let callers = [
        authorize(&api, token.expose(), Surface::V1).await.unwrap(),
        authorize(&api, token.expose(), Surface::ReadPath).await.unwrap(),
        authorize(&api, ENVIRONMENT_TOKEN, Surface::ReadPath).await.unwrap(),
        session(&api, "ana").await,
    ];
    let first = tags(&api, &callers[0]).await;
    for caller in &callers {
        assert_eq!(tags(&api, caller).await, first);
    }
    let another = fixture.api();
    assert_eq!(tags(&another, &callers[0]).await, first, "a tag must survive a restart");
}

#[tokio::test]
async fn different_queries_and_users_have_different_entity_tags() {
    let (_, api) = Fixture::with_api().await;
    let mut seen = HashSet::new();
    for user in ["ana", "ben", "dan"] {
        for tag in tags(&api, &session(&api, user).await).await {
            assert!(seen.insert(tag.clone()), "{tag} is not unique");
        }
    }
}

#[tokio::test]
async fn a_change_changes_entity_tags_with_and_without_revisions() {
    for has_revisions in [true, false] {
        let fixture = Fixture::new().await;
        if !has_revisions {
            fixture.storage.disable_revisions();
        }
        let api = fixture.api();
        let (before, query) = (tag(&api, &session(&api, "ben").await, &ReadQuery::Notes).await, ReadQuery::Notes);
        rename_note(&api, &session(&api, "ana").await, "Stew").await;
        let (after, json) = read(&api, &session(&api, "ben").await, &query).await;
        assert_ne!(after, before);
        assert!(String::from_utf8_lossy(&json).contains("Stew"));
        let caller = session(&api, "ben").await;
        let known = EntityTags::single(before);
        assert_eq!(
            read_unless(&api, &caller, &query, &known).await,
            ReadOutcome::Document { tag: after, body: json, is_truncated: false }
        );
    }
}

#[tokio::test]
async fn without_revisions_unaffected_documents_keep_their_entity_tag() {
    let fixture = Fixture::new().await;
    fixture.storage.disable_revisions();
    let api = fixture.api();
    let caller = session(&api, "ana").await;
    let before = tag(&api, &caller, &ReadQuery::Tasks(TaskFilter::All)).await;
    rename_note(&api, &caller, "Stew").await;
    assert_eq!(tag(&api, &caller, &ReadQuery::Tasks(TaskFilter::All)).await, before);
}

#[tokio::test]
async fn the_entity_tag_does_not_depend_on_the_time_of_sign_in() {
    let (_, api) = Fixture::with_api().await;
    let (old_session, ana) = (session(&api, "ben").await, session(&api, "ana").await);
    rename_note(&api, &ana, "Stew").await;
    let (tag, json) = read(&api, &old_session, &ReadQuery::Notes).await;
    assert_eq!(read(&api, &session(&api, "ben").await, &ReadQuery::Notes).await, (tag.clone(), json));
    let known = EntityTags::single(tag.clone());
    assert_eq!(read_unless(&api, &old_session, &ReadQuery::Notes, &known).await, ReadOutcome::Unchanged(tag));
}

#[tokio::test]
async fn only_the_entity_tag_of_statistics_changes_with_the_day() {
    let (fixture, api) = Fixture::with_api().await;
    let caller = session(&api, "ana").await;
    let before = tags(&api, &caller).await;
    // One second before midnight in Madrid.
    fixture.clock.set("2026-11-20T22:59:59Z".parse().unwrap());
    assert_eq!(tags(&api, &caller).await, before);
    fixture.clock.advance(SignedDuration::from_secs(1));
    let after = tags(&api, &caller).await;
    let has_changed: Vec<bool> = before.iter().zip(&after).map(|(before, after)| before != after).collect();
    let depends_on_the_day: Vec<bool> = all_queries().iter().map(|query| *query == ReadQuery::TaskStats).collect();
    assert_eq!(has_changed, depends_on_the_day);
}

#[tokio::test]
async fn the_time_zone_changes_entity_tags_of_date_dependent_reads() {
    let (fixture, api) = Fixture::with_api().await;
    let before = tags(&api, &session(&api, "ana").await).await;
    fixture.storage.set_zone("Asia/Kolkata");
    let after = tags(&api, &session(&api, "ana").await).await;
    for ((query, before), after) in all_queries().iter().zip(before).zip(after) {
        let depends_on_dates = match query {
            ReadQuery::Events { from, to } => from.is_some() || to.is_some(),
            query => matches!(query, ReadQuery::Occurrences { .. } | ReadQuery::TaskStats),
        };
        assert_eq!(before != after, depends_on_dates, "{query:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_read_makes_one_storage_call_or_two_without_revisions() {
    for has_revisions in [true, false] {
        let fixture = Fixture::new().await;
        if !has_revisions {
            fixture.storage.disable_revisions();
        }
        let api = fixture.api();
        let token = create_key(&api, "ana").await.token;
        let caller = authorize(&api, token.expose(), Surface::V1).await.unwrap();
        for query in &all_queries() {
            let known = tag(&api, &caller, query).await;
            fixture.storage.take_call_count();
            let outcome = authorize_and_read_unless(&api, token.expose(), query, &known).await;
            let calls = if has_revisions { 1 } else { 2 };
            assert_eq!(
                (outcome, fixture.storage.take_call_count()),
                (ReadOutcome::Unchanged(known), calls),
                "{query:?}"
            );
            let stale = EntityTag::of(b"stale");
            let outcome = authorize_and_read_unless(&api, token.expose(), query, &stale).await;
            assert!(matches!(outcome, ReadOutcome::Document { .. }), "{query:?}");
            assert_eq!(fixture.storage.take_call_count(), calls, "{query:?}");
        }
    }
}

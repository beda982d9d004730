//! Entity tags of reads, and the storage calls of an unchanged read.

use std::collections::HashSet;

use bytes::Bytes;
use family_api_core::access::Caller;
use family_api_core::calendar::parse_date;
use family_api_core::change::Reference;
use family_api_core::resource::{ReadQuery, TaskFilter};
use family_api_core::{ContentCoding, EntityTag, EntityTags, FamilyApi, Precondition, ReadOutcome, Surface};
use jiff::SignedDuration;

use crate::fixture::{ENVIRONMENT, Fixture, authorize, key, retitle, session};

pub(crate) fn queries() -> Vec<ReadQuery> {
    let (from, to) = (parse_date("2026-11-20"), parse_date("2026-11-21"));
    vec![
        ReadQuery::Tasks(TaskFilter::Open),
        ReadQuery::Tasks(TaskFilter::Done),
        ReadQuery::Tasks(TaskFilter::All),
        ReadQuery::Events { from: None, to: None },
        ReadQuery::Events { from, to: None },
        ReadQuery::Events { from: None, to: from },
        ReadQuery::Events { from, to },
        ReadQuery::Shopping,
        ReadQuery::Notes,
        ReadQuery::TaskStats,
    ]
}

async fn read(api: &FamilyApi, caller: &Caller, query: &ReadQuery) -> (EntityTag, Bytes) {
    match api.read(caller).unwrap().get(query, ContentCoding::Identity, None).await.unwrap() {
        ReadOutcome::Document { tag, body } => (tag, body),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not in the request"),
    }
}

async fn tag(api: &FamilyApi, caller: &Caller, query: &ReadQuery) -> EntityTag {
    read(api, caller, query).await.0
}

async fn tags(api: &FamilyApi, caller: &Caller) -> Vec<EntityTag> {
    let mut tags = Vec::new();
    for query in &queries() {
        tags.push(tag(api, caller, query).await);
    }
    tags
}

async fn read_unless(api: &FamilyApi, caller: &Caller, query: &ReadQuery, known: &EntityTags) -> ReadOutcome {
    api.read(caller).unwrap().get(query, ContentCoding::Identity, Some(known)).await.unwrap()
}

/// Reads like a request: authenticates the token first.
async fn ask_unless(api: &FamilyApi, token: &str, query: &ReadQuery, known: &EntityTag) -> ReadOutcome {
    let caller = authorize(api, token, Surface::V1).await.unwrap();
    read_unless(api, &caller, query, &EntityTags::only(known.clone())).await
}

#[tokio::test]
async fn the_entity_tag_is_the_same_for_every_credential_of_a_user() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    let callers = [
        authorize(&api, token.expose(), Surface::V1).await.unwrap(),
        authorize(&api, token.expose(), Surface::ReadPath).await.unwrap(),
        authorize(&api, ENVIRONMENT, Surface::ReadPath).await.unwrap(),
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
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let mut seen = HashSet::new();
    for user in ["ana", "ben", "dan"] {
        for tag in tags(&api, &session(&api, user).await).await {
            assert!(seen.insert(tag.clone()), "{tag} comes twice");
        }
    }
}

#[tokio::test]
async fn a_change_changes_entity_tags_with_and_without_revisions() {
    for counts in [true, false] {
        let fixture = Fixture::new().await;
        if !counts {
            fixture.storage.disable_revisions();
        }
        let api = fixture.api();
        let (before, query) = (tag(&api, &session(&api, "ben").await, &ReadQuery::Notes).await, ReadQuery::Notes);
        retitle(&api, &session(&api, "ana").await, "Stew").await;
        let (after, json) = read(&api, &session(&api, "ben").await, &query).await;
        assert_ne!(after, before);
        assert!(String::from_utf8_lossy(&json).contains("Stew"));
        let caller = session(&api, "ben").await;
        let known = EntityTags::only(before);
        assert_eq!(read_unless(&api, &caller, &query, &known).await, ReadOutcome::Document { tag: after, body: json });
    }
}

#[tokio::test]
async fn without_revisions_unaffected_documents_keep_their_entity_tag() {
    let fixture = Fixture::new().await;
    fixture.storage.disable_revisions();
    let api = fixture.api();
    let caller = session(&api, "ana").await;
    let before = tag(&api, &caller, &ReadQuery::Tasks(TaskFilter::All)).await;
    retitle(&api, &caller, "Stew").await;
    assert_eq!(tag(&api, &caller, &ReadQuery::Tasks(TaskFilter::All)).await, before);
}

#[tokio::test]
async fn the_entity_tag_belongs_to_the_document_not_to_the_login_time() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let (early, ana) = (session(&api, "ben").await, session(&api, "ana").await);
    retitle(&api, &ana, "Stew").await;
    let (tag, json) = read(&api, &early, &ReadQuery::Notes).await;
    assert_eq!(read(&api, &session(&api, "ben").await, &ReadQuery::Notes).await, (tag.clone(), json));
    let known = EntityTags::only(tag.clone());
    assert_eq!(read_unless(&api, &early, &ReadQuery::Notes, &known).await, ReadOutcome::Unchanged(tag));
}

#[tokio::test]
async fn only_the_entity_tag_of_statistics_changes_with_the_day() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let caller = session(&api, "ana").await;
    let before = tags(&api, &caller).await;
    // One second before midnight in Madrid.
    fixture.clock.set("2026-11-20T22:59:59Z".parse().unwrap());
    assert_eq!(tags(&api, &caller).await, before);
    fixture.clock.advance(SignedDuration::from_secs(1));
    let after = tags(&api, &caller).await;
    let is_other: Vec<bool> = before.iter().zip(&after).map(|(before, after)| before != after).collect();
    let is_of_the_day: Vec<bool> = queries().iter().map(|query| *query == ReadQuery::TaskStats).collect();
    assert_eq!(is_other, is_of_the_day);
}

#[tokio::test]
async fn the_time_zone_changes_entity_tags_of_date_dependent_reads() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let before = tags(&api, &session(&api, "ana").await).await;
    fixture.storage.set_zone("Asia/Kolkata");
    let after = tags(&api, &session(&api, "ana").await).await;
    for ((query, before), after) in queries().iter().zip(before).zip(after) {
        let has_days = match query {
            ReadQuery::Events { from, to } => from.is_some() || to.is_some(),
            query => *query == ReadQuery::TaskStats,
        };
        assert_eq!(before != after, has_days, "{query:?}");
    }
}

#[tokio::test]
async fn an_unchanged_read_makes_only_the_storage_call_for_the_key() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    let caller = authorize(&api, token.expose(), Surface::V1).await.unwrap();
    for query in &queries() {
        let known = tag(&api, &caller, query).await;
        fixture.storage.calls();
        let answer = ask_unless(&api, token.expose(), query, &known).await;
        assert_eq!((answer, fixture.storage.calls()), (ReadOutcome::Unchanged(known), 1), "{query:?}");
        let stale = EntityTag::of(b"stale");
        let answer = ask_unless(&api, token.expose(), query, &stale).await;
        assert!(matches!(answer, ReadOutcome::Document { .. }), "{query:?}");
        assert_eq!(fixture.storage.calls(), 1, "{query:?}");
    }
}

#[tokio::test]
async fn without_revisions_an_unchanged_read_makes_two_storage_calls() {
    let fixture = Fixture::new().await;
    fixture.storage.disable_revisions();
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    let caller = authorize(&api, token.expose(), Surface::V1).await.unwrap();
    for query in &queries() {
        let known = tag(&api, &caller, query).await;
        fixture.storage.calls();
        let answer = ask_unless(&api, token.expose(), query, &known).await;
        assert_eq!((answer, fixture.storage.calls()), (ReadOutcome::Unchanged(known), 2), "{query:?}");
    }
}

#[tokio::test]
async fn a_read_matches_weak_tags_lists_of_tags_and_a_star() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let caller = session(&api, "ana").await;
    let tag = tag(&api, &caller, &ReadQuery::Shopping).await;
    for header in ["*".to_owned(), format!("W/{tag}"), format!("\"a\", {tag}")] {
        let known = EntityTags::from_headers([header.as_bytes()]).unwrap();
        let answer = read_unless(&api, &caller, &ReadQuery::Shopping, &known).await;
        assert_eq!(answer, ReadOutcome::Unchanged(tag.clone()), "{header}");
    }
    let damaged = EntityTags::from_headers([tag.as_str().trim_matches('"').as_bytes()]).unwrap();
    let answer = read_unless(&api, &caller, &ReadQuery::Shopping, &damaged).await;
    assert!(matches!(answer, ReadOutcome::Document { .. }));
}

#[tokio::test]
async fn the_result_of_a_write_is_the_version_for_the_next_write() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let caller = session(&api, "ana").await;
    let (notes, note) = (api.notes(&caller).unwrap(), Reference::from("note"));
    let change = |title: &str| family_api_core::change::NoteChange::new().title(title);
    let first = notes.update(&note, change("Stew"), &Precondition::None).await.unwrap();
    let version = Precondition::Match(EntityTags::only(EntityTag::of_record(&first).unwrap()));
    notes.update(&note, change("Broth"), &version).await.unwrap();
    let failed = notes.update(&note, change("Soup"), &version).await.unwrap_err();
    assert_eq!(failed.code().as_str(), "precondition_failed");
    let failed = notes.delete(&note, &version).await.unwrap_err();
    assert_eq!(failed.code().as_str(), "precondition_failed");
}

//! The document cache: it saves storage calls, and returns no stale document and none of another user.

use std::io::Read as _;

use bytes::Bytes;
use family_api_core::resource::{ReadQuery, TaskFilter};
use family_api_core::{ContentCoding, EntityTag, Error, FamilyApi, ReadOutcome, Surface};
use flate2::read::GzDecoder;
use futures_util::future::join_all;

use crate::entity_tags::queries;
use crate::fixture::{Fixture, authorize, key, retitle, session};

/// Reads like a request: authenticates the token first.
async fn ask(
    api: &FamilyApi,
    token: &str,
    query: &ReadQuery,
    coding: ContentCoding,
) -> Result<(EntityTag, Bytes), Error> {
    let caller = authorize(api, token, Surface::V1).await.unwrap();
    match api.read(&caller).unwrap().get(query, coding, None).await? {
        ReadOutcome::Document { tag, body } => Ok((tag, body)),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not in the request"),
    }
}

async fn read(api: &FamilyApi, token: &str, query: &ReadQuery) -> (EntityTag, Bytes) {
    ask(api, token, query, ContentCoding::Identity).await.unwrap()
}

#[tokio::test]
async fn a_document_is_built_once_per_revision_caller_and_query() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    for user in ["ana", "ben"] {
        let token = key(&api, user).await.token;
        for query in &queries() {
            fixture.storage.calls();
            let made = read(&api, token.expose(), query).await;
            assert_eq!(fixture.storage.calls(), 2, "{query:?}");
            assert_eq!((read(&api, token.expose(), query).await, fixture.storage.calls()), (made, 1), "{query:?}");
        }
    }
    let token = key(&api, "ben").await.token;
    let before = read(&api, token.expose(), &ReadQuery::Notes).await;
    retitle(&api, &session(&api, "ana").await, "Stew").await;
    fixture.storage.calls();
    let after = read(&api, token.expose(), &ReadQuery::Notes).await;
    assert_eq!(fixture.storage.calls(), 2);
    assert!(before != after && String::from_utf8_lossy(&after.1).contains("Stew"));
}

#[tokio::test]
async fn without_cache_or_revision_every_read_builds_the_document() {
    for counts in [true, false] {
        let fixture = Fixture::new().await;
        if !counts {
            fixture.storage.disable_revisions();
        }
        let api = if counts { fixture.builder().without_document_cache().build() } else { fixture.api() };
        let token = key(&api, "ana").await.token;
        fixture.storage.calls();
        let first = read(&api, token.expose(), &ReadQuery::Notes).await;
        assert_eq!((read(&api, token.expose(), &ReadQuery::Notes).await, fixture.storage.calls()), (first, 4));
    }
}

#[tokio::test]
async fn concurrent_reads_build_the_document_once() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    fixture.storage.calls();
    let answers = join_all((0..8).map(|_| read(&api, token.expose(), &ReadQuery::Notes))).await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(fixture.storage.calls(), 8 + 1);
}

#[tokio::test]
async fn an_error_is_returned_to_all_waiting_reads_and_not_cached() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    fixture.storage.read(false);
    let ask = || ask(&api, token.expose(), &ReadQuery::Notes, ContentCoding::Identity);
    let answers = join_all((0..8).map(|_| ask())).await;
    assert!(answers.iter().all(|answer| matches!(answer, Err(Error::Unavailable(_)))), "{answers:?}");
    fixture.storage.read(true);
    assert!(ask().await.is_ok());
}

#[tokio::test]
async fn a_cancelled_read_does_not_cancel_other_waiting_reads() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    let ask = || Box::pin(read(&api, token.expose(), &ReadQuery::Notes));
    let (mut first, mut second) = (ask(), ask());
    while fixture.storage.calls() < 2 {
        assert!(futures_util::poll!(&mut first).is_pending());
    }
    assert!(futures_util::poll!(&mut second).is_pending());
    drop(first);
    assert_eq!(second.await, read(&api, token.expose(), &ReadQuery::Notes).await);
}

#[tokio::test]
async fn a_document_changed_during_a_read_is_cached_at_its_revision() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let (early, ana) = (session(&api, "ben").await, session(&api, "ana").await);
    let get = async |caller| api.read(caller).unwrap().get(&ReadQuery::Notes, ContentCoding::Identity, None).await;
    retitle(&api, &ana, "Stew").await;
    fixture.storage.calls();
    let first = get(&early).await.unwrap();
    assert_eq!((get(&early).await.unwrap(), fixture.storage.calls()), (first.clone(), 2));
    let ben = session(&api, "ben").await;
    fixture.storage.calls();
    // It is cached under its own revision.
    assert_eq!((get(&ben).await.unwrap(), fixture.storage.calls()), (first, 0));
}

#[tokio::test]
async fn each_content_coding_of_a_document_has_its_own_entity_tag() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    let query = ReadQuery::Tasks(TaskFilter::All);
    let (tag, json) = read(&api, token.expose(), &query).await;
    let (gzip_tag, gzip) = ask(&api, token.expose(), &query, ContentCoding::Gzip).await.unwrap();
    let (zstd_tag, zstd) = ask(&api, token.expose(), &query, ContentCoding::Zstd).await.unwrap();
    assert!(tag != gzip_tag && gzip_tag != zstd_tag && zstd_tag != tag);
    let mut read = Vec::new();
    GzDecoder::new(&*gzip).read_to_end(&mut read).unwrap();
    assert_eq!((read, zstd::bulk::decompress(&zstd, json.len()).unwrap()), (json.to_vec(), json.to_vec()));
    fixture.storage.calls();
    assert_eq!(ask(&api, token.expose(), &query, ContentCoding::Zstd).await.unwrap(), (zstd_tag, zstd));
    assert_eq!(fixture.storage.calls(), 1);
}

#[tokio::test]
async fn a_cache_without_room_stores_nothing_and_reads_still_work() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().document_cache(0).build();
    let token = key(&api, "ana").await.token;
    fixture.storage.calls();
    let first = read(&api, token.expose(), &ReadQuery::Notes).await;
    assert_eq!((read(&api, token.expose(), &ReadQuery::Notes).await, fixture.storage.calls()), (first, 4));
}

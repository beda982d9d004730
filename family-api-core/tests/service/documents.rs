//! The document cache saves storage calls. It returns no stale document, and no document of another user.

use std::io::Read as _;

use bytes::Bytes;
use family_api_core::resource::{ReadQuery, TaskFilter};
use family_api_core::{ContentCoding, EntityTag, Error, FamilyApi, ReadOutcome, Surface};
use family_api_testing::line;
use flate2::read::GzDecoder;
use futures_util::future::{join_all, poll_immediate};

use crate::entity_tags::all_queries;
use crate::fixture::{Fixture, authorize, create_key, rename_note, session};

/// Authenticates the token and reads, as in a request.
async fn get_document(
    api: &FamilyApi,
    token: &str,
    query: &ReadQuery,
    coding: ContentCoding,
) -> Result<(EntityTag, Bytes), Error> {
    let caller = authorize(api, token, Surface::V1).await.unwrap();
    match api.read(&caller).unwrap().get(query, coding, None).await? {
        ReadOutcome::Document { tag, body, .. } => Ok((tag, body)),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not in the request"),
    }
}

async fn read(api: &FamilyApi, token: &str, query: &ReadQuery) -> (EntityTag, Bytes) {
    get_document(api, token, query, ContentCoding::Identity).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_document_is_built_once_per_revision_caller_and_query() {
    let (fixture, api) = Fixture::with_api().await;
    for user in ["ana", "ben"] {
        let token = create_key(&api, user).await.token;
        for query in &all_queries() {
            fixture.storage.take_call_count();
            let made = read(&api, token.expose(), query).await;
            assert_eq!(fixture.storage.take_call_count(), 2, "{query:?}");
            assert_eq!(
                (read(&api, token.expose(), query).await, fixture.storage.take_call_count()),
                (made, 1),
                "{query:?}"
            );
        }
    }
    let token = create_key(&api, "ben").await.token;
    let before = read(&api, token.expose(), &ReadQuery::Notes).await;
    rename_note(&api, &session(&api, "ana").await, "Stew").await;
    fixture.storage.take_call_count();
    let after = read(&api, token.expose(), &ReadQuery::Notes).await;
    assert_eq!(fixture.storage.take_call_count(), 2);
    assert!(before != after && String::from_utf8_lossy(&after.1).contains("Stew"));
}

#[tokio::test(start_paused = true)]
async fn without_cache_or_revision_every_read_builds_the_document() {
    let without_revisions = Fixture::new().await;
    without_revisions.storage.disable_revisions();
    let fixture = Fixture::new().await;
    for (storage, api) in [
        (&without_revisions.storage, without_revisions.api()),
        (&fixture.storage, fixture.builder().without_document_cache().build()),
        (&fixture.storage, fixture.builder().document_cache(0).build()),
    ] {
        let token = create_key(&api, "ana").await.token;
        storage.take_call_count();
        let first = read(&api, token.expose(), &ReadQuery::Notes).await;
        assert_eq!((read(&api, token.expose(), &ReadQuery::Notes).await, storage.take_call_count()), (first, 4));
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_reads_build_the_document_once() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    fixture.storage.take_call_count();
    let results = join_all((0..8).map(|_| read(&api, token.expose(), &ReadQuery::Notes))).await;
    assert!(results.iter().all(|result| *result == results[0]));
    assert_eq!(fixture.storage.take_call_count(), 8 + 1);
}

#[tokio::test]
async fn an_error_is_returned_to_all_waiting_reads_and_not_cached() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    fixture.storage.allow_reads(false);
    let get_document = || get_document(&api, token.expose(), &ReadQuery::Notes, ContentCoding::Identity);
    let results = join_all((0..8).map(|_| get_document())).await;
    assert!(results.iter().all(|result| matches!(result, Err(Error::Unavailable(_)))), "{results:?}");
    fixture.storage.allow_reads(true);
    assert!(get_document().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_read_does_not_cancel_other_waiting_reads() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    let get_document = || Box::pin(read(&api, token.expose(), &ReadQuery::Notes));
    let (mut first, mut second) = (get_document(), get_document());
    while fixture.storage.take_call_count() < 2 {
        assert!(poll_immediate(&mut first).await.is_none());
    }
    assert!(poll_immediate(&mut second).await.is_none());
    drop(first);
    assert_eq!(second.await, read(&api, token.expose(), &ReadQuery::Notes).await);
}

#[tokio::test(start_paused = true)]
async fn a_document_changed_during_a_read_is_cached_at_its_revision() {
    let (fixture, api) = Fixture::with_api().await;
    let (old_session, ana) = (session(&api, "ben").await, session(&api, "ana").await);
    let get = async |caller| api.read(caller).unwrap().get(&ReadQuery::Notes, ContentCoding::Identity, None).await;
    rename_note(&api, &ana, "Stew").await;
    fixture.storage.take_call_count();
    let first = get(&old_session).await.unwrap();
    assert_eq!((get(&old_session).await.unwrap(), fixture.storage.take_call_count()), (first.clone(), 2));
    let ben = session(&api, "ben").await;
    fixture.storage.take_call_count();
    // The document is cached under the revision of its data, which is newer than the revision of the old session.
    assert_eq!((get(&ben).await.unwrap(), fixture.storage.take_call_count()), (first, 0));
}

#[tokio::test(start_paused = true)]
async fn each_content_coding_of_a_document_has_its_own_entity_tag() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    let query = ReadQuery::Tasks(TaskFilter::All);
    let (tag, json) = read(&api, token.expose(), &query).await;
    let (gzip_tag, gzip) = get_document(&api, token.expose(), &query, ContentCoding::Gzip).await.unwrap();
    let (zstd_tag, zstd) = get_document(&api, token.expose(), &query, ContentCoding::Zstd).await.unwrap();
    assert!(tag != gzip_tag && gzip_tag != zstd_tag && zstd_tag != tag);
    let mut read = Vec::new();
    GzDecoder::new(&*gzip).read_to_end(&mut read).unwrap();
    assert_eq!((read, zstd::bulk::decompress(&zstd, json.len()).unwrap()), (json.to_vec(), json.to_vec()));
    fixture.storage.take_call_count();
    assert_eq!(get_document(&api, token.expose(), &query, ContentCoding::Zstd).await.unwrap(), (zstd_tag, zstd));
    assert_eq!(fixture.storage.take_call_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn two_loads_of_a_family_run_at_a_time_also_if_their_requests_are_cancelled() {
    let (fixture, api) = Fixture::with_api().await;
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let tasks = ReadQuery::Tasks(TaskFilter::Open);
    let get =
        async |caller, query: &ReadQuery| api.read(caller).unwrap().get(query, ContentCoding::Identity, None).await;
    let held = fixture.storage.hold_reads().await;
    for caller in [&ana, &ben] {
        let mut cancelled = Box::pin(get(caller, &tasks));
        assert!(poll_immediate(&mut cancelled).await.is_none());
        // The task of the load begins.
        tokio::task::yield_now().await;
    }
    // The storage still works for the cancelled requests, so a third load waits, and is refused after a second.
    let refused = get(&ana, &ReadQuery::Notes).await;
    assert!(matches!(refused, Err(Error::RateLimited { .. })), "{refused:?}");
    drop(held);
    assert!(matches!(get(&ana, &ReadQuery::Notes).await, Ok(ReadOutcome::Document { .. })));
    // The cancelled requests have filled the cache.
    fixture.storage.take_call_count();
    assert!(matches!(get(&ben, &tasks).await, Ok(ReadOutcome::Document { .. })));
    assert_eq!(fixture.storage.take_call_count(), 0);
}

#[tokio::test]
async fn a_cache_that_is_too_small_returns_the_same_bytes() {
    let fixture = Fixture::new().await;
    let text = "Carrots, potatoes and beans. ".repeat(300);
    fixture
        .load([
            line!("note", "long", { "familyId": "f", "title": "Soup", "authorId": "ana", "content": text }),
            line!("task", "long", { "familyId": "f", "columnId": "column", "title": "Cook", "description": text }),
        ])
        .await;
    let (small, uncached) =
        (fixture.builder().document_cache(30_000).build(), fixture.builder().without_document_cache().build());
    let mut tokens = vec![];
    for user in ["ana", "ben"] {
        tokens.push(create_key(&small, user).await.token);
    }
    for revision in 0..5 {
        rename_note(&uncached, &session(&uncached, "ana").await, &format!("Stew {revision}")).await;
        for _ in 0..3 {
            for (query, token) in
                [ReadQuery::Notes, ReadQuery::Tasks(TaskFilter::All), ReadQuery::Tasks(TaskFilter::Open)]
                    .iter()
                    .flat_map(|query| tokens.iter().map(move |token| (query, token.expose())))
            {
                let expected = read(&uncached, token, query).await;
                for _ in 0..2 {
                    assert_eq!(read(&small, token, query).await, expected, "{query:?}");
                }
            }
        }
    }
}

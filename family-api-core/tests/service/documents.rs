//! Documents that were made already: what they save, and that nobody is shown an old one or another's.

use std::io::Read as _;

use bytes::Bytes;
use family_api_core::resource::{ReadQuery, TaskFilter};
use family_api_core::{ContentCoding, EntityTag, Error, FamilyApi, ReadOutcome, Surface};
use flate2::read::GzDecoder;
use futures_util::future::join_all;

use crate::entity_tags::queries;
use crate::fixture::{Fixture, authorize, key, retitle, session};

/// Asks as a request does, from the token on.
async fn ask(
    api: &FamilyApi,
    token: &str,
    query: &ReadQuery,
    coding: ContentCoding,
) -> Result<(EntityTag, Bytes), Error> {
    let caller = authorize(api, token, Surface::V1).await.unwrap();
    match api.read(&caller).unwrap().get(query, coding, None).await? {
        ReadOutcome::Document { tag, body } => Ok((tag, body)),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not named"),
    }
}

async fn read(api: &FamilyApi, token: &str, query: &ReadQuery) -> (EntityTag, Bytes) {
    ask(api, token, query, ContentCoding::Identity).await.unwrap()
}

#[tokio::test]
async fn a_document_is_made_once_a_revision_for_each_caller_and_query() {
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
async fn with_the_cache_off_or_no_revision_to_go_by_every_document_is_made_anew() {
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
async fn of_many_who_ask_at_once_one_has_the_document_made() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let token = key(&api, "ana").await.token;
    fixture.storage.calls();
    let answers = join_all((0..8).map(|_| read(&api, token.expose(), &ReadQuery::Notes))).await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(fixture.storage.calls(), 8 + 1);
}

#[tokio::test]
async fn a_fault_is_told_to_all_who_wait_and_to_nobody_after_them() {
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
async fn who_goes_away_leaves_the_making_to_those_who_wait() {
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
async fn what_has_changed_on_the_way_is_shown_as_it_is_and_not_kept_under_the_older_name() {
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
    // It is kept under its own.
    assert_eq!((get(&ben).await.unwrap(), fixture.storage.calls()), (first, 0));
}

#[tokio::test]
async fn each_coding_is_of_the_same_document_and_has_a_tag_of_its_own() {
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
async fn a_cache_without_room_keeps_nothing_and_answers_all_the_same() {
    let fixture = Fixture::new().await;
    let api = fixture.builder().document_cache(0).build();
    let token = key(&api, "ana").await.token;
    fixture.storage.calls();
    let first = read(&api, token.expose(), &ReadQuery::Notes).await;
    assert_eq!((read(&api, token.expose(), &ReadQuery::Notes).await, fixture.storage.calls()), (first, 4));
}

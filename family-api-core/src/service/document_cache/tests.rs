//! The cache: what it evicts and compresses, what it counts, and calls that are coalesced or cancelled.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use futures_util::future::{join_all, pending, poll_immediate, ready};
use tokio::task::yield_now;
use tokio::time::sleep;

use super::*;

/// Capacity for three documents of 1,000 bytes that are not compressed.
const CAPACITY: u64 = 3 * 1_300 * PARTS / (PARTS - 1);

const REVISION: Revision = Revision::new(1);

/// Returns a document of `length` bytes. It is encoded, so it is not compressed again.
fn document(revision: Revision, length: usize) -> Representation {
    let (tag, body) = (EntityTag::of(b"tag"), vec![b'x'; length].into());
    Representation { revision: Some(revision), tag, coding: ContentCoding::Zstd, body, is_truncated: false }
}

/// Requests an encoded document of `length` bytes at a revision. Returns whether the cache had to make the document.
async fn is_made(documents: &DocumentCache, request: &str, revision: i64, length: usize) -> bool {
    is_document_made(documents, request, document(Revision::new(revision), length)).await
}

/// Requests JSON of `length` bytes, as [`is_made`] does.
async fn is_json_made(documents: &DocumentCache, request: &str, revision: i64, length: usize) -> bool {
    let document = document(Revision::new(revision), length);
    is_document_made(documents, request, Representation { coding: ContentCoding::Identity, ..document }).await
}

async fn is_document_made(documents: &DocumentCache, request: &str, document: Representation) -> bool {
    let revision = document.revision.unwrap();
    let mut is_made = false;
    let make = async {
        is_made = true;
        Ok(document.clone())
    };
    assert_eq!(documents.make(request, revision, ready(Ok(())), make).await.unwrap(), document);
    documents.plain.run_pending_tasks();
    is_made
}

/// Waits until no document is being compressed.
async fn compressed(documents: &DocumentCache) {
    while documents.compressed.is_compressing() {
        sleep(Duration::from_millis(1)).await;
    }
    documents.compressed.run_pending_tasks();
}

#[tokio::test]
async fn an_evicted_document_is_compressed_and_found() {
    // The longer one is decompressed on a blocking thread.
    for length in [10_000, 200_000] {
        let documents = DocumentCache::with_capacity(u64::try_from(length).unwrap() * 3);
        for request in ["1", "2"] {
            assert!(is_json_made(&documents, request, 1, length).await);
            assert!(!is_json_made(&documents, request, 1, length).await);
        }
        compressed(&documents).await;
        assert!(!is_json_made(&documents, "1", 1, length).await);
        let DocumentCacheStatistics { hits, misses, .. } = documents.statistics();
        assert_eq!((hits, misses), (3, 2));
        // A newer version replaces it.
        assert!(is_json_made(&documents, "2", 2, length).await);
        assert!(is_json_made(&documents, "1", 2, length).await);
    }
}

#[tokio::test]
async fn one_of_eight_documents_that_are_read_once_is_compressed() {
    let documents = DocumentCache::with_capacity(CAPACITY * 10);
    for request in 1..=2_000 {
        is_json_made(&documents, &request.to_string(), 1, 3_000).await;
        compressed(&documents).await;
        assert!(documents.statistics().bytes <= CAPACITY * 10);
        if request == 400 {
            assert!((48..=50).contains(&documents.compressed.count()), "{}", documents.compressed.count());
        }
    }
    let room = CAPACITY * 10 / PARTS - documents.compressed.bytes();
    assert!(room < 300, "{room} bytes of the full part are free");
}

#[tokio::test]
async fn a_document_that_changes_often_evicts_no_other() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    assert!(is_made(&documents, "another", 1, 1_000).await);
    for revision in 1..100 {
        assert!(is_made(&documents, "the same", revision, 1_000).await);
        assert!(!is_made(&documents, "the same", revision, 1_000).await);
    }
    assert!(!is_made(&documents, "another", 1, 1_000).await);
}

#[tokio::test]
async fn a_document_larger_than_the_cache_evicts_no_other() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    for request in ["another", "growing"] {
        is_made(&documents, request, 1, 1_000).await;
    }
    for _ in 0..2 {
        assert!(is_made(&documents, "growing", 2, 10_000).await);
        assert!(!is_made(&documents, "another", 1, 1_000).await);
    }
    assert_eq!(documents.plain.entry_count(), 1);
}

#[tokio::test]
async fn the_least_recently_used_document_is_evicted() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    for request in ["1", "2", "3", "1", "4"] {
        is_made(&documents, request, 1, 1_000).await;
    }
    for (request, is_evicted) in [("1", false), ("3", false), ("4", false), ("2", true)] {
        assert_eq!(documents.plain.contains_key(request), !is_evicted, "{request}");
    }
    // It was made in a content coding, so it moved to the part for compressed documents as it is.
    assert!(!is_made(&documents, "2", 1, 1_000).await);
}

#[tokio::test]
async fn the_cache_key_counts_towards_the_cache_size() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    for number in 0..100 {
        is_made(&documents, &format!("{number:01000}"), 1, 0).await;
    }
    assert_eq!(documents.plain.entry_count(), 3);
    for number in 0..100 {
        is_made(&documents, &format!("{number}"), 1, 0).await;
    }
    assert!((10..=15).contains(&documents.plain.entry_count()), "{}", documents.plain.entry_count());
}

#[tokio::test]
async fn the_next_call_makes_the_document_if_the_first_is_cancelled() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    let document = document(REVISION, 0);
    let mut cancelled = Box::pin(documents.make("request", REVISION, ready(Ok(())), pending()));
    assert!(poll_immediate(&mut cancelled).await.is_none());
    let make = async { Ok(document.clone()) };
    let mut next = Box::pin(documents.make("request", REVISION, ready(Ok(())), make));
    assert!(poll_immediate(&mut next).await.is_none());
    drop(cancelled);
    assert_eq!(next.await.unwrap(), document);
    let DocumentCacheStatistics { hits, misses, coalesced, .. } = documents.statistics();
    assert_eq!((hits, misses, coalesced), (0, 1, 0));
}

#[tokio::test]
async fn a_call_that_waited_for_a_load_finds_what_was_made_meanwhile() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    let document = document(REVISION, 0);
    let search = async {
        documents.make_in_load("request", REVISION, async { Ok(document.clone()) }).await.unwrap();
        Ok(())
    };
    let make = async { panic!("it is made again") };
    assert_eq!(documents.make("request", REVISION, search, make).await.unwrap(), document);
    let DocumentCacheStatistics { hits, misses, coalesced, .. } = documents.statistics();
    assert_eq!((hits, misses, coalesced), (1, 1, 0));
}

#[tokio::test]
async fn a_call_outlives_any_number_of_cancelled_calls() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    let document = document(REVISION, 0);
    let get_pending = |_| Box::pin(documents.make("request", REVISION, ready(Ok(())), pending()));
    let mut cancelled: VecDeque<_> = (0..1_000).map(get_pending).collect();
    let mut last = Box::pin(documents.make("request", REVISION, ready(Ok(())), async { Ok(document.clone()) }));
    while !cancelled.is_empty() {
        for call in &mut cancelled {
            assert!(poll_immediate(call).await.is_none());
        }
        assert!(poll_immediate(&mut last).await.is_none());
        cancelled.pop_front();
    }
    assert_eq!(last.await.unwrap(), document);
    assert_eq!(documents.lock().len(), 1);
}

#[tokio::test]
async fn lookups_are_counted_by_their_result() {
    let documents = DocumentCache::with_capacity(CAPACITY);
    let document = document(REVISION, 0);
    let make = || async { Ok(document.clone()) };
    let blocked = async {
        yield_now().await;
        make().await
    };
    let first = documents.make("request", REVISION, ready(Ok(())), blocked);
    let second = documents.make("request", REVISION, ready(Ok(())), make());
    let (first, second) = tokio::join!(first, second);
    assert_eq!((first.unwrap(), second.unwrap()), (document.clone(), document.clone()));
    documents.make("request", REVISION, ready(Ok(())), make()).await.unwrap();
    documents.plain.run_pending_tasks();
    let bytes = u64::from(entry_size("request", &document.body));
    let expected = DocumentCacheStatistics { hits: 1, misses: 1, coalesced: 1, documents: 1, bytes };
    assert_eq!(documents.statistics(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_make_a_document_once() {
    let (documents, make_count) = (DocumentCache::with_capacity(CAPACITY), AtomicUsize::new(0));
    let (documents, make_count) = (Arc::new(documents), Arc::new(make_count));
    for round in 1..=2_000 {
        let get = |_| {
            let (documents, make_count) = (Arc::clone(&documents), Arc::clone(&make_count));
            tokio::spawn(async move {
                let revision = Revision::new(round.try_into().unwrap());
                let make = async {
                    make_count.fetch_add(1, SeqCst);
                    Ok(document(revision, 0))
                };
                documents.make("request", revision, ready(Ok(())), make).await
            })
        };
        join_all((0..4).map(get)).await;
        assert_eq!(make_count.load(SeqCst), round);
    }
    assert_eq!(documents.lock().len(), 1);
}

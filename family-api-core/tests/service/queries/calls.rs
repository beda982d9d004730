//! Each query makes one storage call for its data, and none if the data is unchanged and cached. Long documents are
//! parsed on a blocking thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use family_api_core::access::Caller;
use family_api_core::query::{EventQuery, NoteQuery, PageRequest, ShoppingQuery, TaskQuery};
use family_api_core::resource::{OverviewQuery, ReadQuery, TaskFilter};
use family_api_core::{ContentCoding, Error, FamilyApi};
use family_api_testing::line;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::fixture::{Fixture, rename_note, session};
use crate::queries::family::{event, list, task, with_shared_records};

/// A query, for which only its storage calls matter.
#[derive(Debug, Clone, Copy)]
enum Query {
    FoundOverview,
    Overview,
    Tasks,
    Task,
    Occurrences,
    Shopping,
    Notes,
    Note,
    BoardOutlines,
    ListOutlines,
}

impl Query {
    const ALL: [Self; 10] = [
        Self::FoundOverview,
        Self::Overview,
        Self::Tasks,
        Self::Task,
        Self::Occurrences,
        Self::Shopping,
        Self::Notes,
        Self::Note,
        Self::BoardOutlines,
        Self::ListOutlines,
    ];

    async fn run(self, api: &FamilyApi, caller: &Caller) -> Result<(), Error> {
        let (read, page) = (api.read(caller).unwrap(), PageRequest::default());
        match self {
            Self::FoundOverview => drop(read.find_overview().await?),
            Self::Overview => drop(read.overview(&OverviewQuery::default()).await?),
            Self::Tasks => {
                let query = TaskQuery { status: TaskFilter::Done, ..TaskQuery::default() };
                drop(read.find_tasks(&query, &page).await?);
            }
            Self::Task => drop(read.get_task(&"task".into()).await?),
            Self::Occurrences => {
                let query = EventQuery { from: Some(jiff::civil::date(2027, 1, 1)), ..EventQuery::default() };
                drop(read.find_occurrences(&query, &page).await?);
            }
            Self::Shopping => drop(read.list_shopping(&ShoppingQuery::default(), None).await?),
            Self::Notes => drop(read.search_notes(&NoteQuery::default(), &page).await?),
            Self::Note => drop(read.get_note(&"note".into()).await?),
            Self::BoardOutlines => assert!(!read.board_outlines().await?.is_empty()),
            Self::ListOutlines => assert!(!read.list_outlines().await?.is_empty()),
        }
        Ok(())
    }

    /// Returns the number of storage calls for the data.
    fn calls(self) -> usize {
        if matches!(self, Self::FoundOverview | Self::Overview) { 4 } else { 1 }
    }

    /// Returns whether the query expands events, which can take long for a short document.
    fn expands_events(self) -> bool {
        matches!(self, Self::FoundOverview | Self::Overview | Self::Occurrences)
    }

    /// Returns whether the query reads one record and no document.
    fn finds_one_record(self) -> bool {
        matches!(self, Self::Task | Self::Note)
    }
}

async fn count_calls(fixture: &Fixture, api: &FamilyApi, query: Query) -> usize {
    let ana = session(api, "ana").await;
    fixture.storage.take_call_count();
    query.run(api, &ana).await.unwrap();
    fixture.storage.take_call_count()
}

/// Runs an operation in a runtime with one worker and at most one blocking thread. Returns whether it used that thread,
/// as 0 or 1.
fn count_blocking_threads(run: impl Future<Output = ()>) -> usize {
    let threads = Arc::new(AtomicUsize::new(0));
    let counter = threads.clone();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let count = move || {
        counter.fetch_add(1, Ordering::SeqCst);
    };
    runtime.enable_time().max_blocking_threads(1).on_thread_start(count).build().unwrap().block_on(run);
    threads.load(Ordering::SeqCst)
}

#[test]
fn long_documents_are_parsed_on_a_blocking_thread() {
    for query in Query::ALL {
        let threads = |records: fn() -> Vec<Value>| {
            count_blocking_threads(async {
                let (fixture, api) = with_shared_records().await;
                fixture.load(records()).await;
                query.run(&api, &session(&api, "ana").await).await.unwrap();
            })
        };
        assert_eq!(threads(Vec::new), usize::from(query.expands_events()), "{query:?}");
        assert_eq!(threads(long_records), usize::from(!query.finds_one_record()), "{query:?}");
    }
}

/// Returns a long record for each document.
fn long_records() -> Vec<Value> {
    let text = "x".repeat(130 * 1_024);
    vec![
        task("long", json!({ "description": text })),
        task("long-done", json!({ "description": text, "completedAt": "2026-11-19T10:00:00Z" })),
        line!("note", "long", { "familyId": "f", "title": "long", "content": text }),
        list("long", json!({ "name": text })),
    ]
}

/// A document waits neither for a thread nor for another search: no more documents are loaded than can be searched.
#[test]
fn two_searches_of_a_family_load_documents_until_they_have_ended() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).max_blocking_threads(1).build().unwrap().block_on(async {
        let (fixture, api) = with_shared_records().await;
        fixture.load(long_records()).await;
        let (free_thread, is_free) = std::sync::mpsc::channel();
        let busy = tokio::task::spawn_blocking(move || is_free.recv());
        let mut callers = Vec::new();
        for revision in 0..10 {
            rename_note(&api, &session(&api, "ben").await, &format!("Stew {revision}")).await;
            callers.push(session(&api, "ana").await);
        }
        fixture.storage.take_call_count();
        let search = |ana: Caller| {
            let api = api.clone();
            tokio::spawn(async move { Query::Notes.run(&api, &ana).await })
        };
        let searches: Vec<_> = callers.into_iter().map(search).collect();
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        assert_eq!(fixture.storage.take_call_count(), 2);
        free_thread.send(()).unwrap();
        busy.await.unwrap().unwrap();
        for search in searches {
            search.await.unwrap().unwrap();
        }
    });
}

const LARGE: usize = 4 * 1_024 * 1_024;

fn note_of(length: usize) -> Value {
    line!("note", "large", { "familyId": "f", "title": "large", "content": "x".repeat(length) })
}

/// A family with two loads has no more than one large document in the form of records. The documents of an overview are
/// large together.
#[test]
fn one_large_document_is_searched_at_a_time() {
    let part = || "x".repeat(LARGE / 3);
    let parts = [
        task("part", json!({ "description": part() })),
        event("part", json!({ "description": part() })),
        list("part", json!({ "name": part() })),
    ];
    for (query, records) in [(Query::Notes, &[][..]), (Query::Overview, &parts), (Query::FoundOverview, &parts)] {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().max_blocking_threads(1).build().unwrap().block_on(async {
            let (fixture, api) = with_shared_records().await;
            fixture.load([&[note_of(LARGE)], records].concat()).await;
            let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
            let (free_thread, is_free) = std::sync::mpsc::channel();
            let busy = tokio::task::spawn_blocking(move || is_free.recv());
            let first = tokio::spawn({
                let api = api.clone();
                async move { query.run(&api, &ana).await }
            });
            for _ in 0..1_000 {
                tokio::task::yield_now().await;
            }
            let second = timeout(Duration::from_secs(10), Query::Notes.run(&api, &ben)).await;
            // Without the thread, no search that waits for it would end.
            free_thread.send(()).unwrap();
            busy.await.unwrap().unwrap();
            assert!(matches!(second, Ok(Err(Error::RateLimited { .. }))), "{query:?}: {second:?}");
            first.await.unwrap().unwrap();
            Query::Notes.run(&api, &ben).await.unwrap();
        });
    }
}

/// The storage can take seconds. Meanwhile, other families search their large documents.
#[tokio::test]
async fn an_overview_that_waits_for_the_storage_delays_no_other_large_document() {
    let (fixture, api) = with_shared_records().await;
    fixture.load([task("large", json!({ "description": "x".repeat(LARGE) }))]).await;
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let find_tasks = async |caller: &Caller| {
        let page = api.read(caller).unwrap().find_tasks(&TaskQuery::default(), &PageRequest::default()).await;
        page.map(|page| page.total)
    };
    // The open tasks of both are in the cache.
    let total = find_tasks(&ana).await.unwrap();
    assert_eq!(find_tasks(&ben).await.unwrap(), total);
    let storage_waits = fixture.storage.hold_reads().await;
    let overview = tokio::spawn({
        let api = api.clone();
        async move { Query::Overview.run(&api, &ana).await }
    });
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    let found = timeout(Duration::from_secs(10), find_tasks(&ben)).await;
    assert_eq!(found.unwrap().unwrap(), total);
    assert!(!overview.is_finished());
    drop(storage_waits);
    overview.await.unwrap().unwrap();
}

#[test]
fn events_are_expanded_on_a_blocking_thread() {
    let day = jiff::civil::date(2027, 1, 1);
    let document = ReadQuery::Occurrences { from: day, to: day };
    let threads = count_blocking_threads(async {
        let (_, api) = with_shared_records().await;
        let ana = session(&api, "ana").await;
        api.read(&ana).unwrap().get(&document, ContentCoding::Identity, None).await.unwrap();
    });
    assert_eq!(threads, 1);
}

#[tokio::test]
async fn a_query_reads_once_and_an_unchanged_family_not_again() {
    for query in Query::ALL {
        let (fixture, api) = with_shared_records().await;
        assert_eq!(count_calls(&fixture, &api, query).await, query.calls(), "{query:?}");
        assert_eq!(count_calls(&fixture, &api, query).await, usize::from(query.finds_one_record()), "{query:?}");
        rename_note(&api, &session(&api, "ben").await, "Stew").await;
        assert_eq!(count_calls(&fixture, &api, query).await, query.calls(), "{query:?}");
    }
}

#[tokio::test]
async fn without_revisions_each_query_reads_once() {
    for query in Query::ALL {
        let (fixture, api) = with_shared_records().await;
        fixture.storage.disable_revisions();
        for _ in 0..2 {
            assert_eq!(count_calls(&fixture, &api, query).await, query.calls(), "{query:?}");
        }
    }
}

#[tokio::test]
async fn a_fault_of_the_storage_is_an_error_of_every_query() {
    let (fixture, api) = with_shared_records().await;
    let ana = session(&api, "ana").await;
    fixture.storage.allow_reads(false);
    for query in Query::ALL {
        assert!(matches!(query.run(&api, &ana).await, Err(Error::Unavailable(_))), "{query:?}");
    }
}

#[tokio::test]
async fn a_user_without_family_finds_nothing() {
    let (_, api) = with_shared_records().await;
    let cleo = session(&api, "cleo").await;
    for query in Query::ALL {
        assert!(matches!(query.run(&api, &cleo).await, Err(Error::NotFound)), "{query:?}");
    }
}

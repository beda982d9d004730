//! Cursors through the service: bound to the user and the query, and not moved by other records.

use family_api_core::change::TaskMove;
use family_api_core::query::{Cursor, EventQuery, NoteQuery, Page, PageRequest, TaskQuery};
use family_api_core::resource::{InvalidQuery, Note, Task, TaskFilter, Verb};
use family_api_core::validation::Reference;
use family_api_core::{Error, FamilyApi, Precondition};
use family_api_testing::line;
use serde_json::json;

use crate::fixture::session;
use crate::queries::family::{event, with_shared_records};

fn all_tasks() -> TaskQuery {
    TaskQuery { status: TaskFilter::All, ..TaskQuery::default() }
}

fn after(cursor: &Cursor) -> PageRequest {
    PageRequest::new(Some(1), Some(cursor.clone())).unwrap()
}

fn is_invalid_cursor<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::InvalidQuery(InvalidQuery { parameter: "cursor", .. })))
}

async fn first_page(api: &FamilyApi, user: &str) -> Page<family_api_core::query::FoundTask> {
    let caller = session(api, user).await;
    let one = PageRequest::new(Some(1), None).unwrap();
    api.read(&caller).unwrap().find_tasks(&all_tasks(), &one).await.unwrap()
}

#[tokio::test]
async fn pages_are_continued_while_other_tasks_move() {
    let (_, api) = with_shared_records().await;
    let ana = session(&api, "ana").await;
    let mut page = first_page(&api, "ana").await;
    let mut shown = vec![page.items.remove(0).task.id.to_string()];
    while let Some(next) = page.next {
        let (moved, to_front) = (Reference::from(shown[0].as_str()), TaskMove::new(&"column".parse().unwrap(), 0));
        api.records::<Task>(&ana, Verb::Update)
            .unwrap()
            .update(&moved, to_front.build().unwrap(), &Precondition::None)
            .await
            .unwrap();
        let caller = session(&api, "ana").await;
        page = api.read(&caller).unwrap().find_tasks(&all_tasks(), &after(&next)).await.unwrap();
        shown.extend(page.items.iter().map(|found| found.task.id.to_string()));
    }
    assert_eq!(shown, ["ironing", "cleaning", "cooking", "task"]);
}

#[tokio::test]
async fn a_cursor_continues_after_its_record_was_removed() {
    let (fixture, api) = with_shared_records().await;
    let older = line!("note", "older", {
        "familyId": "f", "title": "Tea", "pinned": true, "createdAt": "2026-11-01T00:00:00Z",
        "updatedAt": "2026-11-01T00:00:00Z",
    });
    fixture.load([older]).await;
    let ana = session(&api, "ana").await;
    let one = PageRequest::new(Some(1), None).unwrap();
    let first = api.read(&ana).unwrap().search_notes(&NoteQuery::default(), &one).await.unwrap();
    assert_eq!((first.items[0].note.id.as_str(), first.total), ("note", 2));
    api.records::<Note>(&ana, Verb::Delete).unwrap().delete(&"note".into(), &Precondition::None).await.unwrap();
    let ana = session(&api, "ana").await;
    let page = api.read(&ana).unwrap().search_notes(&NoteQuery::default(), &after(&first.next.unwrap())).await.unwrap();
    assert_eq!((page.items[0].note.id.as_str(), page.next), ("older", None));
}

#[tokio::test]
async fn a_foreign_changed_or_other_cursor_is_an_invalid_query() {
    let (_, api) = with_shared_records().await;
    let cursor = first_page(&api, "ana").await.next.unwrap();
    let (ana, ben) = (session(&api, "ana").await, session(&api, "ben").await);
    let read = api.read(&ana).unwrap();
    assert!(read.find_tasks(&all_tasks(), &after(&cursor)).await.is_ok());
    assert!(is_invalid_cursor(&api.read(&ben).unwrap().find_tasks(&all_tasks(), &after(&cursor)).await));
    assert!(is_invalid_cursor(&read.find_tasks(&TaskQuery::default(), &after(&cursor)).await));
    assert!(is_invalid_cursor(&read.search_notes(&NoteQuery::default(), &after(&cursor)).await));
    assert!(is_invalid_cursor(&read.find_occurrences(&EventQuery::default(), &after(&cursor)).await));
    let cut: Cursor = cursor.as_str()[1..].parse().unwrap();
    let error = read.find_tasks(&all_tasks(), &after(&cut)).await.unwrap_err();
    assert!(error.to_string().contains("start again without `cursor`"), "{error}");
}

#[tokio::test]
async fn occurrences_of_one_event_are_on_separate_pages() {
    let (fixture, api) = with_shared_records().await;
    fixture.load([event("sick-leave", json!({ "startDate": "2026-11-01T00:00:00Z" }))]).await;
    let ana = session(&api, "ana").await;
    let read = api.read(&ana).unwrap();
    let mut page = PageRequest::new(Some(4), None).unwrap();
    let mut shown = Vec::new();
    loop {
        let found = read.find_occurrences(&EventQuery::default(), &page).await.unwrap();
        assert_eq!((found.from.to_string(), found.page.total), ("2026-11-20".to_owned(), 10));
        shown.extend(found.page.items.iter().map(|occurrence| occurrence.id.to_string()));
        let Some(next) = found.page.next else { break };
        page = PageRequest::new(Some(4), Some(next)).unwrap();
    }
    assert_eq!(shown[..3], ["sick-leave", "dentist", "piano@20261120T101530Z"]);
    assert_eq!((shown.len(), shown.last().unwrap().as_str()), (10, "piano@20261127T101530Z"));
}

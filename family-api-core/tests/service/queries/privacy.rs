//! Records that only another member sees change nothing in any result.

use family_api_core::access::Caller;
use family_api_core::query::{AssigneeFilter, EventQuery, NoteQuery, PageRequest, ShoppingQuery, TaskQuery};
use family_api_core::resource::{OverviewQuery, TaskFilter};
use family_api_core::{Error, FamilyApi};

use crate::fixture::session;
use crate::queries::family::{SECRET, add_bens_records, with_shared_records};

/// Returns everything that the queries tell a caller, as text: records, counts, cursors and entity tags.
async fn everything(api: &FamilyApi, caller: &Caller) -> String {
    let read = api.read(caller).unwrap();
    let one = PageRequest::new(Some(1), None).unwrap();
    let all = PageRequest::default();
    let mut answers = vec![format!("{:?}", read.find_overview().await.unwrap())];
    for query in ["", "assignee=me", "assignee=unassigned", "assignee=ben"] {
        let overview = read.overview(&OverviewQuery::parse(query).unwrap()).await.unwrap();
        answers.push(String::from_utf8(overview.into_bytes().into()).unwrap());
    }
    let every_status = || TaskQuery { status: TaskFilter::All, ..TaskQuery::default() };
    for query in [
        TaskQuery::default(),
        every_status(),
        TaskQuery { assignee: Some(AssigneeFilter::Me), ..every_status() },
        TaskQuery { overdue: true, ..every_status() },
        TaskQuery { text: Some(SECRET.parse().unwrap()), ..every_status() },
    ] {
        for page in [&one, &all] {
            answers.push(format!("{:?}", read.find_tasks(&query, page).await.unwrap()));
        }
    }
    for include_checked in [false, true] {
        let query = ShoppingQuery { include_checked, ..ShoppingQuery::default() };
        answers.push(format!("{:?}", read.list_shopping(&query, None).await.unwrap()));
    }
    answers.push(format!("{:?}", read.find_occurrences(&EventQuery::default(), &one).await.unwrap()));
    answers.push(format!("{:?}", read.search_notes(&NoteQuery::default(), &one).await.unwrap()));
    answers.push(format!("{:?}", read.get_task(&"ironing".into()).await.unwrap()));
    answers.join("\n")
}

#[tokio::test]
async fn private_records_of_another_member_change_no_result() {
    let (fixture, api) = with_shared_records().await;
    let before = everything(&api, &session(&api, "ana").await).await;
    add_bens_records(&fixture).await;
    let after = everything(&api, &session(&api, "ana").await).await;
    assert_eq!(after, before);
    assert!(!after.contains(SECRET));
    let own = everything(&api, &session(&api, "ben").await).await;
    for id in ["secret-board", "secret-on-board", "secret-task", "secret-list", "secret-on-list", "secret-item"] {
        assert!(own.contains(id), "{id} is not in {own}");
    }
}

#[tokio::test]
async fn an_error_does_not_reveal_a_private_record() {
    let (fixture, api) = with_shared_records().await;
    add_bens_records(&fixture).await;
    let ana = session(&api, "ana").await;
    let read = api.read(&ana).unwrap();
    let page = PageRequest::default();
    let mut errors: Vec<[String; 2]> = Vec::new();
    let text = |error: Error| format!("{error:?} {error}");
    for [private, unknown] in [["secret-board", "unknown"], ["secret-column", "unknown"]] {
        let mut pair = Vec::new();
        for id in [private, unknown] {
            let board = TaskQuery { board: Some(id.parse().unwrap()), ..TaskQuery::default() };
            let column = TaskQuery { column: Some(id.parse().unwrap()), ..TaskQuery::default() };
            pair.push(text(read.find_tasks(&board, &page).await.unwrap_err()));
            pair.push(text(read.find_tasks(&column, &page).await.unwrap_err()));
        }
        errors.push([pair[0].clone(), pair[2].clone()]);
        errors.push([pair[1].clone(), pair[3].clone()]);
    }
    let mut pair = Vec::new();
    for id in ["secret-list", "unknown"] {
        let query = ShoppingQuery { list: Some(id.parse().unwrap()), include_checked: true, text: None };
        pair.push(text(read.list_shopping(&query, None).await.unwrap_err()));
    }
    errors.push([pair[0].clone(), pair[1].clone()]);
    for [private, unknown] in errors {
        assert_eq!(private, unknown);
    }
    for id in ["secret-task", "secret-on-board", "unknown", "not an id"] {
        assert!(matches!(read.get_task(&id.into()).await, Err(Error::NotFound)), "{id}");
    }
}

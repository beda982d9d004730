//! Single records with their entity tags, the overview, and expanded reads of events.

use bytes::Bytes;
use family_api_core::calendar::parse_date;
use family_api_core::change::{NoteChange, TaskChange};
use family_api_core::query::{AssigneeFilter, PageRequest, TaskQuery};
use family_api_core::resource::{InvalidQuery, Note, Occurrence, ReadQuery, Task, TaskFilter, Verb};
use family_api_core::validation::Reference;
use family_api_core::{ContentCoding, EntityTags, Error, FamilyApi, Precondition, ReadOutcome};
use serde_json::json;

use crate::fixture::session;
use crate::queries::family::{event, task, with_shared_records};

fn if_match(tag: &family_api_core::EntityTag) -> Precondition {
    Precondition::Match(EntityTags::single(tag.clone()))
}

#[tokio::test]
async fn the_tag_of_a_record_is_accepted_until_the_record_changes() {
    let (_, api) = with_shared_records().await;
    let ana = session(&api, "ana").await;
    let (task, note) = (Reference::from("ironing"), Reference::from("note"));
    let found = api.read(&ana).unwrap().get_task(&task).await.unwrap();
    assert_eq!((found.record.board_name.as_str(), found.record.column_name.as_str()), ("B", "C"));
    assert!(found.record.is_overdue);
    let change = || TaskChange::new().complete().build().unwrap();
    let update =
        async || api.records::<Task>(&ana, Verb::Update).unwrap().update(&task, change(), &if_match(&found.tag)).await;
    assert!(update().await.is_ok());
    assert!(matches!(update().await, Err(Error::PreconditionFailed)));

    let found = api.read(&ana).unwrap().get_note(&note).await.unwrap();
    let change = || NoteChange::new().title("Stew").build().unwrap();
    let update =
        async || api.records::<Note>(&ana, Verb::Update).unwrap().update(&note, change(), &if_match(&found.tag)).await;
    assert!(update().await.is_ok());
    assert!(matches!(update().await, Err(Error::PreconditionFailed)));
}

#[tokio::test]
async fn the_overview_counts_and_names_what_a_member_sees() {
    let (_, api) = with_shared_records().await;
    let ana = session(&api, "ana").await;
    let overview = api.read(&ana).unwrap().find_overview().await.unwrap();
    assert_eq!((overview.today.to_string().as_str(), overview.zone.as_str()), ("2026-11-20", "Europe/Madrid"));
    let ids = |tasks: &[family_api_core::query::FoundTask]| -> Vec<String> {
        tasks.iter().map(|found| found.task.id.to_string()).collect()
    };
    assert_eq!(ids(&overview.open_tasks.items), ["ironing", "cleaning"]);
    assert_eq!(ids(&overview.overdue_tasks.items), ["ironing"]);
    assert_eq!((overview.open_tasks.total, overview.overdue_tasks.total), (2, 1));
    assert_eq!((overview.occurrences.total, overview.are_occurrences_cut), (9, false));
    let column = &overview.boards.items[0].columns.items[0];
    assert_eq!((column.id.as_str(), column.open_count), ("column", 4));
    let list = &overview.lists.items[0];
    assert_eq!((list.id.as_str(), list.open_count), ("groceries", 1));
    let members: Vec<&str> = overview.members.items.iter().map(|person| person.id.as_str()).collect();
    assert_eq!(members, ["ana", "ben", "dan"]);
    assert!(!overview.boards.is_cut() && !overview.open_tasks.is_cut());
}

#[tokio::test]
async fn conditions_that_no_task_can_meet_are_an_invalid_query() {
    let (_, api) = with_shared_records().await;
    let ana = session(&api, "ana").await;
    let (due_from, due_to) = (parse_date("2026-11-21"), parse_date("2026-11-20"));
    for (query, name) in [
        (TaskQuery { due_from, due_to, ..TaskQuery::default() }, "dueFrom"),
        (TaskQuery { overdue: true, status: TaskFilter::Done, ..TaskQuery::default() }, "overdue"),
    ] {
        let result = api.read(&ana).unwrap().find_tasks(&query, &PageRequest::default()).await;
        let is_named =
            matches!(&result, Err(Error::InvalidQuery(InvalidQuery { parameter, .. })) if *parameter == name);
        assert!(is_named, "{result:?}");
    }
}

#[tokio::test]
async fn an_assignee_without_tasks_must_be_a_member() {
    let (fixture, api) = with_shared_records().await;
    fixture.load([task("painting", json!({ "assigneeId": "gone" }))]).await;
    let ana = session(&api, "ana").await;
    for (user, found) in [("ben", Some(1)), ("dan", Some(0)), ("gone", Some(1)), ("Me", None), ("cleo", None)] {
        let query = TaskQuery { assignee: Some(AssigneeFilter::User(user.parse().unwrap())), ..TaskQuery::default() };
        let result = api.read(&ana).unwrap().find_tasks(&query, &PageRequest::default()).await;
        match found {
            Some(total) => assert_eq!(result.unwrap().total, total, "{user}"),
            None => assert!(
                matches!(result, Err(Error::InvalidQuery(InvalidQuery { parameter: "assignee", .. }))),
                "{user}: {result:?}"
            ),
        }
    }
}

/// Reads the occurrences of a range of days. Returns the document and whether it is truncated.
async fn read_occurrences(api: &FamilyApi, from: &str, to: &str) -> Result<(Bytes, bool), Error> {
    let caller = session(api, "ana").await;
    let query = ReadQuery::Occurrences { from: parse_date(from).unwrap(), to: parse_date(to).unwrap() };
    match api.read(&caller).unwrap().get(&query, ContentCoding::Identity, None).await? {
        ReadOutcome::Document { body, is_truncated, .. } => Ok((body, is_truncated)),
        ReadOutcome::Unchanged(tag) => panic!("{tag} was not in the request"),
    }
}

#[tokio::test]
async fn an_expanded_read_returns_the_occurrences_of_the_days() {
    let (_, api) = with_shared_records().await;
    let (json, is_truncated) = read_occurrences(&api, "2026-11-21", "2026-11-22").await.unwrap();
    let occurrences: Vec<Occurrence> = serde_json::from_slice(&json).unwrap();
    let ids: Vec<&str> = occurrences.iter().map(|occurrence| occurrence.id.as_str()).collect();
    assert_eq!(ids, ["piano@20261121T101530Z", "piano@20261122T101530Z"]);
    assert!(!is_truncated);
    for (from, to, parameter) in [("2026-11-22", "2026-11-21", "from"), ("2026-11-21", "2027-11-22", "to")] {
        let result = read_occurrences(&api, from, to).await;
        let is_named =
            matches!(&result, Err(Error::InvalidQuery(InvalidQuery { parameter: name, .. })) if *name == parameter);
        assert!(is_named, "{result:?}");
    }
}

#[tokio::test]
async fn an_expanded_read_says_that_it_is_truncated_also_from_the_cache() {
    let (fixture, api) = with_shared_records().await;
    let daily = |id: &str| event(id, json!({ "recurrence": "FREQ=DAILY" }));
    fixture.load([daily("run"), daily("swim")]).await;
    for _ in 0..2 {
        let (json, is_truncated) = read_occurrences(&api, "2027-01-01", "2027-12-31").await.unwrap();
        assert_eq!(serde_json::from_slice::<Vec<Occurrence>>(&json).unwrap().len(), 1_000);
        assert!(is_truncated);
    }
    assert!(!read_occurrences(&api, "2027-01-01", "2027-03-31").await.unwrap().1);
}

/// Returns an event with a long description that occurs each day.
fn long_event(id: &str) -> serde_json::Value {
    event(id, json!({ "recurrence": "FREQ=DAILY", "description": "x".repeat(100_000) }))
}

#[tokio::test]
async fn an_expanded_read_is_at_most_8_mib_large() {
    const MAX_BYTES: usize = 8 * 1024 * 1024;
    let (fixture, api) = with_shared_records().await;
    fixture.load([long_event("run"), long_event("swim"), long_event("walk")]).await;
    let (json, is_truncated) = read_occurrences(&api, "2027-01-01", "2027-12-31").await.unwrap();
    let occurrences: Vec<Occurrence> = serde_json::from_slice(&json).unwrap();
    assert!(is_truncated && (MAX_BYTES - 101_000..=MAX_BYTES).contains(&json.len()), "{}", json.len());
    let last = occurrences.last().unwrap().start_date;
    assert_eq!(last.to_string(), "2027-01-28T10:15:30.123Z");
    let (rest, is_truncated) = read_occurrences(&api, "2027-01-28", "2027-01-29").await.unwrap();
    assert_eq!(serde_json::from_slice::<Vec<Occurrence>>(&rest).unwrap().len(), 8);
    assert!(!is_truncated);
}

#[tokio::test]
async fn an_occurrence_larger_than_the_maximum_is_returned_alone() {
    let (fixture, api) = with_shared_records().await;
    let large = json!({ "description": "x".repeat(9_000_000), "startDate": "2026-11-20T09:00:00Z" });
    fixture.load([event("large", large)]).await;
    let (json, is_truncated) = read_occurrences(&api, "2026-11-20", "2026-11-20").await.unwrap();
    let occurrences: Vec<Occurrence> = serde_json::from_slice(&json).unwrap();
    assert_eq!((occurrences.len(), occurrences[0].id.as_str(), is_truncated), (1, "large", true));
}

#[tokio::test]
async fn the_overview_says_that_occurrences_may_be_missing() {
    let (fixture, api) = with_shared_records().await;
    let sparse = json!({ "startDate": "1900-01-01T10:00:00Z", "endDate": "1900-01-01T11:00:00Z",
        "recurrence": "FREQ=DAILY;BYDAY=MO;COUNT=10000" });
    fixture.load([event("sparse", sparse)]).await;
    let ana = session(&api, "ana").await;
    let overview = api.read(&ana).unwrap().find_overview().await.unwrap();
    assert_eq!((overview.occurrences.total, overview.are_occurrences_cut), (9, true));
}

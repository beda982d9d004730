//! Successful calls, and calls that the service refuses. A test of the standalone server calls every method.

use family_api_client::change::{DateOrInstant, EventChange, ProfileChange, TaskChange};
use family_api_client::key::{KeyDraft, KeyMode};
use family_api_client::resource::{
    AnyRecord, AssigneeFilter, Board, CheckedFilter, DeletedRecordId, ItemQuery, OverviewQuery, RecordKind, TaskFilter,
    TaskQuery,
};
use family_api_client::{Date, TimeNotice, TimeNoticeKind};

use crate::service::Service;

fn titles(boards: &[Board]) -> Vec<&str> {
    boards[0].columns[0].tasks.iter().map(|task| task.title.as_str()).collect()
}

#[tokio::test]
async fn a_filter_and_days_select_records() {
    let client = Service::start().await.client(KeyMode::V1Read).await;
    for (filter, expected) in
        [(TaskFilter::Open, vec!["Open"]), (TaskFilter::Done, vec!["Done"]), (TaskFilter::All, vec!["Open", "Done"])]
    {
        assert_eq!(titles(&client.read().tasks().filter(filter).await.unwrap()), expected);
    }
    assert_eq!(
        titles(&client.read().tasks().filter(TaskFilter::All).filter(TaskFilter::Open).await.unwrap()),
        ["Open"]
    );
    let day = |text: &str| text.parse::<Date>().unwrap();
    let events = || client.read().events();
    assert_eq!(events().await.unwrap().len(), 1);
    assert_eq!(events().from(day("2026-11-20")).to(day("2026-11-20")).await.unwrap().len(), 1);
    assert_eq!(events().from(day("2026-11-21")).await.unwrap().len(), 0);
    assert_eq!(events().to(day("2026-11-19")).await.unwrap().len(), 0);
    let occurrences = |from, to| client.read().occurrences(day(from), day(to));
    let found = occurrences("2026-11-20", "2026-11-20").await.unwrap();
    assert_eq!((found.len(), &found[0].occurrence_of), (1, &events().await.unwrap()[0].id));
    assert_eq!(occurrences("2026-11-21", "2026-11-22").await.unwrap().len(), 0);
    let refused = occurrences("2026-11-21", "2027-11-22").await.unwrap_err();
    assert_eq!((refused.status(), refused.code()), (Some(400), Some("invalid_query")));
    let refused = events().from(day("2026-11-21")).to(day("2026-11-20")).await.unwrap_err();
    assert_eq!((refused.status(), refused.code()), (Some(400), Some("invalid_query")));
}

#[tokio::test]
async fn members_containers_and_single_records_are_read() {
    let client = Service::start().await.client(KeyMode::V1ReadWrite).await;
    let read = client.read();
    assert_eq!(read.members().await.unwrap()[0].name, "Ana");
    assert_eq!(read.boards().await.unwrap()[0].columns[0].name, "To do");
    assert_eq!(read.shopping_lists().await.unwrap()[0].name, "L");
    assert_eq!(read.event(&"e".parse().unwrap()).await.unwrap().id.as_str(), "e");
    assert_eq!(read.note(&"n".parse().unwrap()).await.unwrap().title, "N");
    let missing = read.shopping_item(&"none".parse().unwrap()).await.unwrap_err();
    assert_eq!(missing.status(), Some(404));
    let task = read.task(&"open".parse().unwrap()).await.unwrap();
    let tag = task.etag().unwrap();
    let update = client.tasks().update(&task.id, TaskChange::new().title("Opened"));
    assert_eq!(update.if_match(tag).await.unwrap().title, "Opened");
    let stale = client.tasks().update(&task.id, TaskChange::new().title("Again")).if_match(tag).await;
    assert!(stale.unwrap_err().is_precondition_failed());
}

#[tokio::test]
async fn an_overview_is_read_with_its_filters_and_again_only_if_it_changed() {
    let client = Service::start().await.client(KeyMode::V1Read).await;
    let all = client.read().overview(&OverviewQuery::default()).await.unwrap();
    assert_eq!((all.me.as_str(), all.members.items[0].name.as_deref()), ("u", Some("Ana")));
    let query = OverviewQuery { assignee: Some(AssigneeFilter::Unassigned), days: 0.try_into().unwrap() };
    let unassigned = client.read().overview(&query).await.unwrap();
    assert_eq!(unassigned.last_day, unassigned.today);
    assert!(unassigned.open_tasks.total < all.open_tasks.total, "{all:?}");
    let unchanged = client.read().overview(&query).versioned().await.unwrap();
    let tag = unchanged.etag().unwrap();
    assert_eq!(client.read().overview(&query).versioned().if_changed_since(tag).await.unwrap(), None);
}

#[tokio::test]
async fn tasks_and_items_are_found_in_pages() {
    let client = Service::start().await.client(KeyMode::V1Read).await;
    let read = client.read();
    let query = TaskQuery { assignee: Some(AssigneeFilter::Me), status: TaskFilter::All, ..TaskQuery::default() };
    let first = read.find_tasks(&query).limit(1).await.unwrap();
    assert_eq!((first.records.len(), first.total), (1, 2));
    let last = read.find_tasks(&query).limit(1).cursor(first.next_cursor.unwrap()).await.unwrap();
    assert_eq!((last.records.len(), last.total, last.next_cursor), (1, 2, None));
    assert_ne!(first.records[0].id, last.records[0].id);
    let items = read.find_shopping_items(&ItemQuery { checked: CheckedFilter::All, ..ItemQuery::default() });
    assert_eq!(items.await.unwrap().total, 0);
}

#[tokio::test]
async fn changes_since_the_state_of_a_read_are_followed() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let read = client.read();
    let boards = read.tasks().versioned().await.unwrap();
    let state = boards.state().unwrap();
    assert_eq!(read.changes().await.unwrap().new_state, state);
    assert_eq!(read.notes().raw().await.unwrap().state(), Some(state));
    assert_eq!(read.task(&"open".parse().unwrap()).await.unwrap().state(), None);

    client.tasks().update(&"open".parse().unwrap(), TaskChange::new().title("Opened")).await.unwrap();
    client.notes().delete(&"n".parse().unwrap()).await.unwrap();
    let changes = read.changes().since(state).await.unwrap();
    assert_eq!((changes.old_state.as_deref(), changes.has_more), (Some(state), false));
    assert_eq!(changes.changed.len(), 1);
    assert!(matches!(&changes.changed[0].record, AnyRecord::Task(task) if task.title == "Opened"), "{changes:?}");
    assert_eq!(changes.deleted, [DeletedRecordId { kind: RecordKind::Note, id: "n".to_owned() }]);
    let of_tasks = read.changes().since(state).kinds(&[RecordKind::Event, RecordKind::Task]).await.unwrap();
    assert_eq!((of_tasks.changed, of_tasks.deleted), (changes.changed, Vec::new()));
    let first = read.changes().since(state).limit(1).await.unwrap();
    assert!(first.has_more && first.deleted.is_empty());
    let rest = read.changes().since(&first.new_state).limit(1).await.unwrap();
    assert_eq!((rest.deleted, rest.new_state), (changes.deleted, changes.new_state));

    let expired = read.changes().since("nonsense").await.unwrap_err();
    assert!(expired.is_sync_expired() && !expired.is_temporary());
    assert_eq!((expired.status(), expired.code()), (Some(410), Some("sync_expired")));
    let refused = read.changes().limit(501).await.unwrap_err();
    assert!(!refused.is_sync_expired() && refused.detail().unwrap().contains("`limit`"));
}

#[tokio::test]
async fn every_invalid_field_of_a_change_is_reported() {
    let client = Service::start().await.client(KeyMode::V1ReadWrite).await;
    let refused = client.tasks().update(&"open".parse().unwrap(), TaskChange::new().title("").order(-1)).await;
    let refused = refused.unwrap_err();
    let pointers: Vec<&str> = refused.field_errors().iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!((refused.status(), pointers), (Some(422), vec!["/title", "/order"]));
    assert_eq!(refused.detail(), Some("The request body has 2 invalid fields."));
    assert_eq!(refused.field_error_count(), 2);
}

#[tokio::test]
async fn a_time_that_does_not_mean_what_it_says_is_reported() {
    let client = Service::start().await.client(KeyMode::V1Full).await;
    let kinds = |notices: &[TimeNotice]| -> Vec<(String, TimeNoticeKind)> {
        notices.iter().map(|notice| (notice.field.clone(), notice.kind)).collect()
    };
    // The clock skips and repeats these times in Madrid.
    let start = DateOrInstant::parse("2026-03-29T02:30").unwrap();
    let end = DateOrInstant::parse("2026-10-25T02:30").unwrap();
    let event = || EventChange::new().title("Night").start_date(start).end_date(end);
    let expected =
        [("startDate".to_owned(), TimeNoticeKind::Skipped), ("endDate".to_owned(), TimeNoticeKind::Repeated)];
    let created = client.events().create(event()).await.unwrap();
    assert_eq!(kinds(created.time_notices()), expected);
    assert_eq!(created.start_date, "2026-03-29T01:30:00Z".parse().unwrap());
    assert_eq!(kinds(client.events().create(event()).raw().await.unwrap().time_notices()), expected);
    let offset = DateOrInstant::parse("2026-12-24T18:00+02:00").unwrap();
    let task = client.tasks().update(&"open".parse().unwrap(), TaskChange::new().due_date(offset)).await.unwrap();
    assert_eq!(kinds(task.time_notices()), [("dueDate".to_owned(), TimeNoticeKind::ForeignOffset)]);
    assert_eq!(task.due_date, Some("2026-12-24T16:00:00Z".parse().unwrap()));
    let local = client.events().update(&created.id, EventChange::new().title("Day")).await.unwrap();
    assert!(local.time_notices().is_empty());
}

#[tokio::test]
async fn a_session_turns_the_personal_api_on_and_off_and_sets_the_time_zone() {
    let service = Service::start().await;
    let session = service.session();
    let client = service.client(KeyMode::V1Read).await;
    let off = ProfileChange::new().disable_personal_api();
    assert!(!session.profile().update(off).await.unwrap().personal_api_enabled);
    let refused = client.read().notes().await.unwrap_err();
    assert!(refused.is_api_disabled() && refused.is_unauthorized());
    assert!(refused.request_id().is_some_and(|id| !id.is_empty()));
    let refused = session.keys().create(KeyDraft::new(KeyMode::V1Read)).await.unwrap_err();
    assert!(refused.is_api_disabled() && !refused.is_unauthorized());
    let on = ProfileChange::new().enable_personal_api();
    assert!(session.profile().update(on).await.unwrap().personal_api_enabled);
    assert_eq!(client.profile().get().await.unwrap().email, "ana@example.org");
    let tokyo = ProfileChange::new().set_time_zone("Asia/Tokyo".parse().unwrap());
    assert_eq!(session.profile().update(tokyo).await.unwrap().time_zone.as_str(), "Asia/Tokyo");
    assert_eq!(client.profile().get().await.unwrap().time_zone.as_str(), "Asia/Tokyo");
}

#[tokio::test]
async fn a_raw_response_is_the_unchanged_json() {
    let client = Service::start().await.client(KeyMode::V1Read).await;
    let raw = client.read().tasks().filter(TaskFilter::All).raw().await.unwrap();
    let boards: Vec<Board> = serde_json::from_str(raw.as_str()).unwrap();
    assert_eq!(boards, client.read().tasks().filter(TaskFilter::All).await.unwrap());
    assert_eq!(serde_json::to_string(&boards).unwrap(), raw.as_str());
    assert!(!format!("{raw:?}").contains("Open"), "{raw:?}");
}

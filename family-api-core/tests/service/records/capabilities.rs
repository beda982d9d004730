//! Hosts that do not keep every resource, field or operation.

use family_api_core::calendar::Zone;
use family_api_core::change::{ShoppingItemChange, TaskChange};
use family_api_core::resource::{
    Event, Note, OverviewQuery, ReadQuery, RecordKind, ResourceKind, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::{Capabilities, Member, Operation, RecordWrite, WriteStorage, Written};
use family_api_core::{Clock, ContentCoding, Error, Precondition};
use serde_json::json;

use super::{code, create, new, weekly_event};
use crate::fixture::{Fixture, session};

/// Returns the JSON pointers of the refused fields.
fn pointers<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<String> {
    match result {
        Err(Error::InvalidField(faults)) => faults.listed().iter().map(|fault| fault.pointer.clone()).collect(),
        other => panic!("expected faults, but got {other:?}"),
    }
}

#[tokio::test]
async fn an_operation_that_the_storage_lacks_is_not_found() {
    let fixture = Fixture::new().await;
    fixture.storage.set_capabilities(Capabilities::updates().with(RecordKind::Note, Verb::Create));
    let api = fixture.api();
    let ana = session(&api, "ana").await;
    assert_eq!(code(api.records::<Event>(&ana, Verb::Create)), "not_found");
    assert_eq!(code(api.records::<Task>(&ana, Verb::Create)), "not_found");
    assert_eq!(code(api.records::<Note>(&ana, Verb::Restore)), "not_found");
    assert!(create::<Note>(&api, &ana, &json!({ "title": "T" })).await.is_ok());
    assert!(api.records::<Task>(&ana, Verb::Update).is_ok());
}

#[tokio::test]
async fn a_field_that_the_storage_does_not_keep_is_refused() {
    let fixture = Fixture::new().await;
    let without = Capabilities::all().without_field(RecordKind::Task, "labels");
    fixture.storage.set_capabilities(without.without_field(RecordKind::Task, "dueDate"));
    let api = fixture.api();
    let ana = session(&api, "ana").await;
    fixture.storage.take_call_count();
    let body = json!({ "title": "T", "labels": [], "dueDate": "2026-12-01" });
    assert_eq!(pointers(create::<Task>(&api, &ana, &body).await), ["/dueDate", "/labels"]);
    let tasks = api.records::<Task>(&ana, Verb::Update).unwrap();
    let update = |change: TaskChange| {
        let update = change.build().unwrap();
        async { tasks.update(&"task".into(), update, &Precondition::None).await }
    };
    assert_eq!(pointers(update(TaskChange::new().title("T").clear_due_date()).await), ["/dueDate"]);
    assert_eq!(fixture.storage.take_call_count(), 0);
    assert!(update(TaskChange::new().title("T")).await.is_ok());
    assert!(create::<Task>(&api, &ana, &json!({ "title": "T" })).await.is_ok());
}

#[tokio::test]
async fn without_the_field_of_its_container_a_record_does_not_move() {
    let fixture = Fixture::new().await;
    fixture.storage.set_capabilities(Capabilities::all().without_field(RecordKind::ShoppingItem, "listId"));
    let api = fixture.api();
    let ana = session(&api, "ana").await;
    let list: ShoppingList = create(&api, &ana, &json!({ "name": "L" })).await.unwrap();
    let items = api.records::<ShoppingItem>(&ana, Verb::Create).unwrap();
    let milk = new::<ShoppingItem>(Some(list.id.as_str()), &json!({ "name": "milk" }));
    let milk = items.create(milk, None).await.unwrap().into_record();
    let moved = ShoppingItemChange::new().list(&list.id).build().unwrap();
    assert_eq!(pointers(items.update(&(&milk.id).into(), moved, &Precondition::None).await), ["/listId"]);
    let checked = ShoppingItemChange::new().check().build().unwrap();
    assert!(items.update(&(&milk.id).into(), checked, &Precondition::None).await.is_ok());
}

#[tokio::test]
async fn an_event_is_split_only_if_the_storage_creates_events() {
    let fixture = Fixture::new().await;
    let api = fixture.api();
    let ana = session(&api, "ana").await;
    let (event, update) = weekly_event(&api, &ana).await;
    fixture.storage.set_capabilities(Capabilities::updates().with(RecordKind::Event, Verb::Update));
    let api = fixture.api();
    let events = api.records::<Event>(&ana, Verb::Update).unwrap();
    let id = (&event.id).into();
    assert_eq!(pointers(events.update(&id, update.clone(), &Precondition::None).await), ["/scope"]);
    let operation = Operation::<Event>::Update {
        id: event.id.clone(),
        update,
        precondition: Precondition::None,
        new_id: Some("other".parse().unwrap()),
    };
    let author = Member { user: "ana".parse().unwrap(), family: "f".parse().unwrap() }.into();
    let write = RecordWrite::new(operation, Zone::utc(), fixture.clock.now());
    assert!(fixture.storage.write_event(&author, &write).await.is_err());
    fixture.storage.set_capabilities(Capabilities::all());
    let written = fixture.storage.write_event(&author, &write).await;
    assert!(matches!(written, Ok(Written::Split { .. })), "{written:?}");
}

#[tokio::test]
async fn a_resource_that_the_storage_does_not_keep_is_not_found() {
    let fixture = Fixture::new().await;
    fixture.storage.set_capabilities(Capabilities::all().without_resource(ResourceKind::Shopping));
    let api = fixture.api();
    let ana = session(&api, "ana").await;
    let read = api.read(&ana).unwrap();
    let shopping = read.get(&ReadQuery::Shopping, ContentCoding::Identity, None).await;
    assert_eq!(code(shopping), "not_found");
    assert!(read.get(&ReadQuery::Notes, ContentCoding::Identity, None).await.is_ok());
    assert!(read.find_overview().await.is_ok());
    assert!(read.overview(&OverviewQuery::default()).await.is_ok());
    assert!(!api.capabilities().keeps_resource(ResourceKind::Shopping));
}

#[tokio::test]
async fn a_scope_that_no_write_of_the_storage_needs_cannot_be_granted() {
    let fixture = Fixture::new().await;
    let grantable = |capabilities| {
        fixture.storage.set_capabilities(capabilities);
        let scopes = fixture.builder().full_access(true).build().grantable_scopes();
        scopes.iter().map(|scope| scope.as_str().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let standard = "mcp.read v1.read v1.tasks.write v1.notes.write";
    assert_eq!(grantable(Capabilities::updates()), standard);
    let events = Capabilities::updates().with(RecordKind::Event, Verb::Create);
    assert_eq!(grantable(events), format!("{standard} v1.events.write"));
    let all = format!("{standard} v1.tasks.manage v1.notes.manage v1.events.write v1.shopping.write v1.boards.manage");
    assert_eq!(grantable(Capabilities::all()), all);
}

//! Calls every method of the typed client. Together they must cover all operations of the OpenAPI document.

use std::collections::BTreeSet;

use family_api_client::change::{NoteChange, ProfileChange, ShoppingListChange, TaskChange};
use family_api_client::feed::{FeedDetail, FeedDraft, FeedSettings, FeedUpdate};
use family_api_client::key::{KeyDraft, KeyMode, Scope};
use family_api_client::resource::{
    AssigneeFilter, CheckedFilter, DeletedRecordId, ItemQuery, OverviewQuery, RecordKind, TaskFilter, TaskQuery,
};
use family_api_client::{FamilyClient, SessionClient, Surface, Timestamp};
use serde_json::Value;

use crate::backend::{Backend, on_each_backend};
use crate::client::call;
use crate::family::{self, PASSWORD};
use crate::sandbox::{Sandbox, Server};
use crate::typed_writes::{write_batches, write_containers, write_records};

/// Paths that integrations do not call: they are for browsers, service managers and assistants.
const NOT_FOR_INTEGRATIONS: [&str; 8] =
    ["/", "/api/mcp", "/api/v1/mcp", "/docs", "/docs/{file}", "/healthz", "/openapi.json", "/readyz"];

on_each_backend! { every_method_of_the_client_works }

async fn every_method_of_the_client_works(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await.import_lines([family::note("garage", "rivera")]);
    let server = sandbox.serve_with(&["--log", "json"], &[]);
    let documented = documented(&server).await;

    let session = SessionClient::builder().base_url(&server.url).build().unwrap();
    assert!(session.keys().list().await.unwrap_err().is_unauthorized());
    assert_eq!(session.sign_in("ana@family.example", PASSWORD).await.unwrap().id.as_str(), "ana");
    let token = manage_keys(&server, &session).await;
    write_in_session(&session).await;
    write_records(&session.tasks(), &session.notes(), &session.events(), &session.shopping_items()).await;
    write_containers(&session.boards(), &session.columns(), &session.shopping_lists(), &session.note_categories())
        .await;
    let client = FamilyClient::builder().base_url(&server.url).token(token);
    read(&client.clone().build().unwrap()).await;
    read(&client.clone().read_over(Surface::ReadPath).build().unwrap()).await;
    let client = client.build().unwrap();
    read_records(&client).await;
    let state = client.read().notes().versioned().await.unwrap().state().unwrap().to_owned();
    write(&client).await;
    let changes = client.read().changes().since(&state).await.unwrap();
    assert!(changes.changed.iter().any(|changed| changed.id == "dentist"), "{changes:?}");
    assert_eq!(changes.deleted, [DeletedRecordId { kind: RecordKind::Note, id: "wifi".to_owned() }]);
    write_records(&client.tasks(), &client.notes(), &client.events(), &client.shopping_items()).await;
    write_batches(&client).await;
    write_containers(&client.boards(), &client.columns(), &client.shopping_lists(), &client.note_categories()).await;
    assert_eq!(client.shopping_lists().create(ShoppingListChange::new().name("Market")).await.unwrap().name, "Market");
    let deleted = session.deleted(Some(RecordKind::Note), None).await.unwrap().records;
    assert!(deleted.iter().any(|record| record.id == "wifi"), "{deleted:?}");
    assert_eq!(session.keys().revoke_access().await.unwrap().keys, 1);
    assert_eq!(client.profile().get().await.unwrap_err().code(), Some("invalid_token"));
    assert!(session.sign_out().await.unwrap().ok);
    assert_eq!(session.profile().get().await.unwrap_err().code(), Some("not_signed_in"));

    assert!(server.stop().success());
    assert_eq!(logged(&sandbox.log()), documented);
}

/// Returns every operation of the document for integrations, as method and route. The reads of the five resources are
/// five operations of one route.
async fn documented(server: &Server) -> BTreeSet<(String, String)> {
    let document = call(server, "GET", "/openapi.json").await.json();
    let operations = document["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().keys().filter(|name| *name != "parameters");
        let resource = path.rsplit_once("/read/").filter(|(_, name)| *name != "overview");
        let route = resource.map_or(path.clone(), |(prefix, _)| format!("{prefix}/read/{{resource}}"));
        methods.map(move |method| (method.to_uppercase(), route.clone()))
    });
    for_integrations(operations)
}

/// Returns every route in the access log.
fn logged(log: &str) -> BTreeSet<(String, String)> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |line: &Value, name: &str| line[name].as_str().map(str::to_owned);
    for_integrations(lines.filter_map(|line| Some((text(&line, "method")?, text(&line, "route")?))))
}

fn for_integrations(operations: impl Iterator<Item = (String, String)>) -> BTreeSet<(String, String)> {
    operations.filter(|(_, path)| !NOT_FOR_INTEGRATIONS.contains(&path.as_str())).collect()
}

/// Creates, lists and revokes keys. Returns the plaintext of a key that is still valid.
async fn manage_keys(server: &Server, session: &SessionClient) -> String {
    let off = ProfileChange::new().disable_personal_api();
    assert!(!session.profile().update(off).await.unwrap().personal_api_enabled);
    let draft = KeyDraft::new(KeyMode::V1Full).name(" Dashboard ");
    let refused = session.keys().create(draft.clone()).await.unwrap_err();
    assert!(refused.is_api_disabled() && refused.status() == Some(403), "{refused:?}");
    let on = ProfileChange::new().enable_personal_api();
    assert!(session.profile().update(on).await.unwrap().personal_api_enabled);
    assert!(session.profile().get().await.unwrap().personal_api_enabled);

    assert_eq!(session.connections().list().await.unwrap().connections, []);
    assert!(session.connections().revoke(&"none".parse().unwrap()).await.unwrap_err().is_not_found());
    let choices = session.feeds().choices().await.unwrap();
    assert!(choices.persons.len() > 1 && !choices.boards.is_empty(), "{choices:?}");
    let feed = session.feeds().create(FeedDraft::new(FeedSettings::new("Family"))).await.unwrap();
    assert!(feed.path.expose().starts_with("/calendar/famcal_"));
    let busy = session.feeds().update(&feed.feed.id, FeedUpdate::new().detail(FeedDetail::Busy)).await.unwrap();
    assert_eq!(session.feeds().list().await.unwrap().feeds, [busy]);
    assert_eq!(session.feeds().end(&feed.feed.id).await.unwrap().id, feed.feed.id);
    let created = session.keys().create(draft.clone()).await.unwrap();
    let other = session.keys().create(KeyDraft::new(KeyMode::McpRead)).await.unwrap();
    let names: Vec<Option<String>> =
        session.keys().list().await.unwrap().tokens.into_iter().map(|key| key.name).collect();
    assert_eq!(names, [None, Some("Dashboard".to_owned())]);
    assert!(other.scopes.iter().eq([&Scope::McpRead]));
    assert_eq!(session.keys().revoke(&other.id).await.unwrap().id, other.id);
    assert!(session.keys().revoke(&other.id).await.unwrap_err().is_not_found());
    let revoked = FamilyClient::builder().base_url(&server.url).token(other.token.expose());
    let revoked = revoked.read_over(Surface::ReadPath).build().unwrap();
    let refused = revoked.read().notes().await.unwrap_err();
    assert!(refused.is_unauthorized() && !refused.is_api_disabled() && !refused.is_temporary(), "{refused:?}");
    assert_eq!(refused.code(), Some("invalid_token"));
    created.token.expose().to_owned()
}

async fn write_in_session(session: &SessionClient) {
    let task = "dentist".parse().unwrap();
    let change = TaskChange::new().title("Dentist").assignee(&"ben".parse().unwrap()).labels(["health"]);
    let changed = session.tasks().update(&task, change).await.unwrap();
    assert_eq!((changed.title.as_str(), changed.assignee.as_ref().unwrap().name.as_str()), ("Dentist", "ben"));
    assert_eq!(session.tasks().move_to(&task, &"todo".parse().unwrap(), 3).await.unwrap().order, 3);
    let note = "wifi".parse().unwrap();
    assert_eq!(session.notes().update(&note, NoteChange::new().color("#00ff00")).await.unwrap().title, "wifi");
    assert!(session.notes().delete(&"garage".parse().unwrap()).await.unwrap().success);
    assert!(session.notes().delete(&"cabin".parse().unwrap()).await.unwrap_err().is_not_found());
}

async fn read_records(client: &FamilyClient) {
    let read = client.read();
    assert!(read.members().await.unwrap().iter().any(|member| member.id.as_str() == "ana"));
    let boards = read.boards().await.unwrap();
    assert!(boards[0].columns.iter().any(|column| column.id.as_str() == "todo"), "{boards:?}");
    assert!(!read.shopping_lists().await.unwrap().is_empty());
    let tasks = read.find_tasks(&TaskQuery { status: TaskFilter::All, ..TaskQuery::default() }).limit(1).await.unwrap();
    let task = read.task(&tasks.records[0].id).await.unwrap();
    assert_eq!(*task, tasks.records[0]);
    let items = read.find_shopping_items(&ItemQuery { checked: CheckedFilter::All, ..ItemQuery::default() });
    let item = items.await.unwrap().records.remove(0);
    assert_eq!(*read.shopping_item(&item.id).await.unwrap(), item);
    let event = read.events().await.unwrap().remove(0);
    assert_eq!(*read.event(&event.id).await.unwrap(), event);
    assert_eq!(read.note(&"wifi".parse().unwrap()).await.unwrap().title, "wifi");
}

async fn read(client: &FamilyClient) {
    let boards = client.read().tasks().filter(TaskFilter::All).await.unwrap();
    assert_eq!(boards[0].columns[0].tasks[0].labels, ["health"]);
    let day = "2026-11-20".parse().unwrap();
    assert_eq!(client.read().events().from(day).to(day).await.unwrap()[0].id.as_str(), "piano");
    assert_eq!(client.read().shopping().await.unwrap()[0].items[0].id.as_str(), "milk");
    assert_eq!(client.read().notes().await.unwrap()[0].color.as_deref(), Some("#00ff00"));
    assert_eq!(client.read().task_stats().await.unwrap().my_open, 0);
    let query =
        OverviewQuery { assignee: Some(AssigneeFilter::User("ben".parse().unwrap())), ..OverviewQuery::default() };
    let overview = client.read().overview(&query).await.unwrap();
    assert_eq!((overview.me.as_str(), overview.open_tasks.items[0].title.as_str()), ("ana", "Dentist"));
}

async fn write(client: &FamilyClient) {
    assert_eq!(client.profile().get().await.unwrap().email, "ana@family.example");
    let task = "dentist".parse().unwrap();
    let change = TaskChange::new().clear_assignee().due_date("2026-12-01".parse::<family_api_client::Date>().unwrap());
    let changed = client.tasks().update(&task, change.complete()).await.unwrap();
    assert_eq!(changed.due_date.unwrap().to_string(), "2026-11-30T23:00:00.000Z");
    assert!(changed.completed && changed.assignee_id.is_none());
    let change = TaskChange::new().description("Bring the card").make_private();
    let described = client.tasks().update(&task, change).await.unwrap_err();
    assert_eq!(described.field_errors()[0].pointer, "/isPrivate", "only the creator can make a task private");
    client.tasks().update(&task, TaskChange::new().description("Bring the card")).await.unwrap();
    let cleared = client.tasks().update(&task, TaskChange::new().clear_description().clear_due_date()).await.unwrap();
    assert_eq!((cleared.description.as_deref(), cleared.due_date, cleared.completed), (None, None, true));
    let weekly = TaskChange::new().due_date("2126-12-02T08:00:00Z".parse::<Timestamp>().unwrap());
    let weekly = client.tasks().update(&task, weekly.recurrence("FREQ=WEEKLY").reopen()).await.unwrap();
    assert!(weekly.recurrence.as_deref().unwrap().ends_with("\nRRULE:FREQ=WEEKLY"));
    let again = client.tasks().update(&task, TaskChange::new().complete()).await.unwrap();
    assert_eq!((again.completed, again.due_date.unwrap().to_string().as_str()), (false, "2126-12-09T08:00:00.000Z"));
    assert!(again.last_completed_at.is_some());
    let once = TaskChange::new().clear_recurrence().clear_due_date().complete();
    assert_eq!(client.tasks().update(&task, once).await.unwrap().recurrence, None);
    assert_eq!(client.tasks().move_to(&task, &"todo".parse().unwrap(), 0).await.unwrap().order, 0);
    let note = "wifi".parse().unwrap();
    assert!(client.notes().update(&note, NoteChange::new().pin().tags(["a"]).clear_category()).await.unwrap().pinned);
    assert!(client.notes().delete(&note).await.unwrap().success);
    assert!(client.notes().delete(&note).await.unwrap_err().is_not_found());
}

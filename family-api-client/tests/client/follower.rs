//! Following the changes of a family's records.

use family_api_client::change::{NoteChange, ShoppingListChange, TaskChange};
use family_api_client::key::KeyMode;
use family_api_client::resource::ChangeList;
use family_api_client::{AllRecords, Error, Follower, NextChanges};
use serde_json::json;
use wiremock::matchers::{path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::service::{A_NOTE, Service, client_of, problem};

async fn everything(follower: &mut Follower) -> Option<AllRecords> {
    match follower.next().await.unwrap() {
        NextChanges::Everything(all) => Some(*all),
        NextChanges::Changed(_) => None,
    }
}

async fn changed(follower: &mut Follower) -> Option<ChangeList> {
    match follower.next().await.unwrap() {
        NextChanges::Everything(_) => None,
        NextChanges::Changed(changes) => Some(changes),
    }
}

#[tokio::test]
async fn a_follower_reads_everything_once_and_then_only_changes() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let mut follower = client.follow();
    assert_eq!(follower.state(), None);
    let all = everything(&mut follower).await.unwrap();
    let tasks: Vec<&str> = all.boards[0].columns[0].tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!((tasks, all.events.len(), all.notes.len(), all.shopping_lists.len()), (vec!["open", "done"], 1, 1, 1));
    assert_eq!(changed(&mut follower).await.unwrap().changed, []);

    client.tasks().update(&"done".parse().unwrap(), TaskChange::new().title("Undone")).await.unwrap();
    client.notes().delete(&"n".parse().unwrap()).await.unwrap();
    let stored = follower.state().unwrap().to_owned();
    for mut follower in [follower, client.follow_from(&stored)] {
        let changes = changed(&mut follower).await.unwrap();
        assert_eq!((changes.changed[0].id.as_str(), changes.deleted[0].id.as_str()), ("done", "n"));
        assert_eq!(changed(&mut follower).await.unwrap().deleted, []);
    }
    let list = client.shopping_lists().create(ShoppingListChange::new().name("New")).await.unwrap();
    let mut expired = client.follow_from("nonsense");
    let all = everything(&mut expired).await.unwrap();
    assert_eq!((all.notes.len(), all.shopping_lists.iter().any(|other| other.id == list.id)), (0, true));
    client.notes().create(NoteChange::new().title("New")).await.unwrap();
    assert_eq!(changed(&mut expired).await.unwrap().changed.len(), 1);
}

/// The service that a follower meets: it keeps no shopping lists, and its notes cannot be read the first time.
async fn faulty_server() -> MockServer {
    let server = MockServer::start().await;
    let json = |body: String| ResponseTemplate::new(200).set_body_raw(body, "application/json");
    let changes = |state: &str| {
        json(json!({ "oldState": null, "newState": state, "hasMore": false, "changed": [], "deleted": [] }).to_string())
    };
    let at_changes = || Mock::given(path("/api/v1/changes"));
    at_changes().and(query_param_is_missing("since")).respond_with(changes("1")).mount(&server).await;
    at_changes().and(query_param("since", "1")).respond_with(changes("2")).mount(&server).await;
    let failing = at_changes().and(query_param("since", "2")).respond_with(problem(500, "internal"));
    failing.up_to_n_times(1).mount(&server).await;
    at_changes().and(query_param("since", "2")).respond_with(changes("3")).mount(&server).await;
    let read = |resource: &str| Mock::given(path(format!("/api/v1/read/{resource}")));
    read("shopping").respond_with(problem(404, "not_found")).mount(&server).await;
    read("notes").respond_with(problem(500, "internal")).up_to_n_times(1).mount(&server).await;
    read("notes").respond_with(json(format!("[{A_NOTE}]"))).mount(&server).await;
    for resource in ["tasks", "events"] {
        read(resource).respond_with(json("[]".to_owned())).mount(&server).await;
    }
    server
}

#[tokio::test]
async fn a_follower_continues_at_the_same_place_after_an_error() {
    let server = faulty_server().await;
    let mut follower = client_of(&server.uri()).follow();
    assert_eq!(follower.next().await.unwrap_err().status(), Some(500));
    assert_eq!(follower.state(), None);
    let all = everything(&mut follower).await.unwrap();
    assert_eq!((all.notes.len(), all.shopping_lists.len()), (1, 0));
    assert_eq!(follower.state(), Some("1"));
    assert_eq!(changed(&mut follower).await.unwrap().new_state, "2");
    assert_eq!(follower.next().await.unwrap_err().status(), Some(500));
    assert_eq!(follower.state(), Some("2"));
    assert_eq!(changed(&mut follower).await.unwrap().new_state, "3");
}

#[tokio::test]
async fn a_service_without_changes_cannot_be_followed() {
    let server = MockServer::start().await;
    Mock::given(path("/api/v1/changes")).respond_with(problem(404, "not_found")).mount(&server).await;
    assert!(client_of(&server.uri()).follow().next().await.is_err_and(|error: Error| error.is_not_found()));
}

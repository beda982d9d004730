//! The router, the OpenAPI document and the client have the same operations.

use std::collections::BTreeSet;
use std::future::IntoFuture;

use family_api_client::change::{NoteChange, ProfileChange, TaskChange};
use family_api_client::key::{KeyDraft, KeyMode};
use family_api_client::{Call, FamilyClient, SessionClient, Surface};

use crate::service::Service;

/// Routes without a client method: the document itself, and the page that renders it.
const DOCUMENTATION_ROUTES: [&str; 3] = ["/openapi.json", "/docs", "/docs/{file}"];

#[tokio::test]
async fn client_methods_and_documented_operations_match() {
    let service = Service::start().await;
    let v1 = service.client(KeyMode::V1ReadWrite).await;
    let token = service.token(KeyMode::McpRead).await;
    let read_path = FamilyClient::builder().base_url(&service.url).token(token).read_over(Surface::ReadPath);
    call_with_token(&v1).await;
    call_reads(&read_path.build().unwrap()).await;
    call_in_session(&service.session()).await;

    let called: BTreeSet<(String, String)> = service.called.lock().unwrap().iter().cloned().collect();
    assert_eq!(called, documented(&service));
}

/// Returns every operation of the document by method and path.
fn documented(service: &Service) -> BTreeSet<(String, String)> {
    let paths = service.document["paths"].as_object().unwrap().iter();
    let operations_of_clients = paths.filter(|(path, _)| !DOCUMENTATION_ROUTES.contains(&path.as_str()));
    let is_method = |name: &&String| ["get", "post", "put", "patch", "delete"].contains(&name.as_str());
    let operations = operations_of_clients.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().keys().filter(is_method);
        methods.map(move |method| (method.to_uppercase(), path.clone()))
    });
    operations.collect()
}

/// Sends the call and checks that it reaches its route. The record need not exist.
async fn call<T: 'static>(call: Call<T>) {
    let shown = format!("{call:?}");
    let refused = call.into_future().await.err();
    assert!(refused.as_ref().is_none_or(|error| error.code() == Some("not_found")), "{shown}: {refused:?}");
}

async fn call_reads(client: &FamilyClient) {
    let read = client.read();
    call(read.tasks()).await;
    call(read.events()).await;
    call(read.shopping()).await;
    call(read.notes()).await;
    call(read.task_stats()).await;
}

async fn call_with_token(client: &FamilyClient) {
    call(client.profile().get()).await;
    call_reads(client).await;
    call(client.tasks().update(&"open".parse().unwrap(), TaskChange::new())).await;
    call(client.tasks().move_to(&"open".parse().unwrap(), &"c".parse().unwrap(), 0)).await;
    call(client.notes().update(&"n".parse().unwrap(), NoteChange::new())).await;
    call(client.notes().delete(&"gone".parse().unwrap())).await;
}

async fn call_in_session(session: &SessionClient) {
    call(session.profile().get()).await;
    call(session.profile().update(ProfileChange::new())).await;
    call(session.keys().create(KeyDraft::new(KeyMode::McpRead))).await;
    call(session.keys().list()).await;
    call(session.keys().revoke(&"gone".parse().unwrap())).await;
    call(session.tasks().update(&"open".parse().unwrap(), TaskChange::new())).await;
    call(session.tasks().move_to(&"open".parse().unwrap(), &"c".parse().unwrap(), 0)).await;
    call(session.notes().update(&"n".parse().unwrap(), NoteChange::new())).await;
    call(session.notes().delete(&"gone".parse().unwrap())).await;
}

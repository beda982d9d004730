//! The client against the real routes, over a real socket.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use family_api_client::resource::TaskFilter;
use family_api_client::{Date, FamilyClient};
use family_api_core::FamilyApi;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{Load, Record};
use family_api_salvo::FamilyRoutes;
use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::{Router, Server};

const RECORDS: [&str; 8] = [
    r#"{"type":"family","id":"f","name":"F","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"user","id":"u","familyId":"f","name":"Ana","email":"ana@example.org","image":null,"color":null,"emoji":null,"displayCurrency":"EUR","timeZone":"Europe/Madrid","personalApiEnabled":true,"llmModel":null,"llmKeyConfigured":false,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"board","id":"b","familyId":"f","name":"Home","description":null,"emoji":null,"color":null,"order":0,"isPrivate":false,"ownerUserId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"column","id":"c","boardId":"b","name":"To do","emoji":null,"color":null,"order":0,"createdAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"task","id":"open","columnId":"c","title":"Open","description":null,"priority":"LOW","dueDate":null,"completedAt":null,"order":0,"labels":[],"isPrivate":false,"assigneeId":"u","creatorId":"u","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"task","id":"done","columnId":"c","title":"Done","description":null,"priority":"LOW","dueDate":null,"completedAt":"2026-11-20T00:00:00Z","order":1,"labels":[],"isPrivate":false,"assigneeId":"u","creatorId":"u","createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"event","id":"e","familyId":"f","title":"E","description":null,"emoji":null,"color":null,"startDate":"2026-11-20T10:00:00Z","endDate":"2026-11-20T11:00:00Z","allDay":false,"location":null,"recurrence":null,"assigneeId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
    r#"{"type":"note","id":"n","familyId":"f","title":"N","content":"","emoji":null,"color":null,"pinned":false,"tags":[],"authorId":"u","categoryId":null,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#,
];

/// An API below a path of its host, and the plaintext of a key of that mode.
async fn service(mode: KeyMode) -> (String, String) {
    let storage = MemoryStorage::default();
    let mut loader = storage.begin_load().await.unwrap();
    for record in RECORDS {
        loader.insert(Record::from_json(record.as_bytes()).unwrap()).await.unwrap();
    }
    loader.commit().await.unwrap();
    let api = FamilyApi::new(Arc::new(storage));
    let user = api.sign_in(&"u".parse().unwrap()).await.unwrap();
    let key = api.keys(&user).unwrap().create(KeyDraft::new(mode)).await.unwrap();
    let acceptor = TcpListener::new("127.0.0.1:0").try_bind().await.unwrap();
    let address = acceptor.holdings()[0].local_addr.clone().into_std().unwrap();
    let router = Router::with_path("family").push(FamilyRoutes::new(api).into_router());
    tokio::spawn(Server::new(acceptor).try_serve(router));
    (format!("http://{address}/family/"), key.token.expose().to_owned())
}

async fn client(mode: KeyMode) -> FamilyClient {
    let (url, token) = service(mode).await;
    FamilyClient::builder().base_url(url).token(token).build().unwrap()
}

#[tokio::test]
async fn every_read_answers_with_its_records() {
    let client = client(KeyMode::V1Read).await;
    assert_eq!(client.profile().get().await.unwrap().email, "ana@example.org");
    for (filter, titles) in
        [(TaskFilter::Open, vec!["Open"]), (TaskFilter::Done, vec!["Done"]), (TaskFilter::All, vec!["Open", "Done"])]
    {
        let boards = client.read().tasks(filter).await.unwrap();
        let found: Vec<&str> = boards[0].columns[0].tasks.iter().map(|task| task.title.as_str()).collect();
        assert_eq!(found, titles);
    }
    let day = |text: &str| Some(text.parse::<Date>().unwrap());
    for (from, to, count) in [
        (None, None, 1),
        (day("2026-11-20"), day("2026-11-20"), 1),
        (day("2026-11-21"), None, 0),
        (None, day("2026-11-19"), 0),
    ] {
        assert_eq!(client.read().events(from, to).await.unwrap().len(), count);
    }
    assert!(client.read().shopping().await.unwrap().is_empty());
    assert_eq!(client.read().notes().await.unwrap()[0].title, "N");
    assert_eq!(client.read().task_stats().await.unwrap().my_open, 1);
}

#[tokio::test]
async fn a_refusal_says_what_it_means_and_which_request_it_was() {
    let client = client(KeyMode::McpRead).await;
    let error = client.profile().get().await.unwrap_err();
    assert!(error.is_unauthorized() && !error.is_temporary() && !error.is_timeout());
    assert_eq!((error.status(), error.code()), (Some(401), Some("insufficient_scope")));
    assert!(error.request_id().is_some_and(|id| !id.is_empty()));
    let day = |text: &str| Some(text.parse::<Date>().unwrap());
    let (_, token) = service(KeyMode::McpRead).await;
    let unknown = FamilyClient::builder().base_url("http://127.0.0.1:1").token(token).build().unwrap();
    let error = unknown.read().events(day("2026-11-20"), None).await.unwrap_err();
    assert!(error.status().is_none() && error.is_temporary());
}

#[tokio::test]
async fn the_token_is_in_no_debug_output() {
    let (url, _) = service(KeyMode::V1Read).await;
    let builder = FamilyClient::builder().base_url(url).token("canary");
    let shown = format!("{builder:?}");
    let client = builder.build().unwrap();
    let error = client.read().notes().await.unwrap_err();
    let shown = format!("{shown} {client:?} {:?} {error:?} {error}", client.read());
    assert!(!shown.contains("canary"), "{shown}");
    assert_eq!(error.code(), Some("invalid_token"));
}

//! Runs the program against a server with the real routes.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output};
use std::sync::Arc;

use family_api_core::FamilyApi;
use family_api_core::access::Caller;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::key::{KeyDraft, KeyMode};
use family_api_core::storage::{BulkLoad, Record};
use family_api_memory::MemoryStorage;
use family_api_salvo::FamilyRoutes;
use family_api_testing::line;
use salvo::Server;
use salvo::conn::{Acceptor, Listener, TcpListener};
use serde_json::Value;
use tokio::runtime::Runtime;

const AT: &str = "2020-11-20T09:00:00.000Z";

/// Returns records whose summary is the same on any day, because the program uses the system clock.
fn records() -> Vec<Value> {
    let task = |id: &str, due: Option<&str>| {
        line!("task", id, {
            "familyId": "rivera", "columnId": "todo", "dueDate": due, "assigneeId": "ana", "creatorId": "ana",
        })
    };
    let mut records = vec![
        line!("family", "rivera", { "name": "Rivera" }),
        line!("user", "ana", { "familyId": "rivera", "name": "Ana", "email": "ana@family.example" }),
        line!("board", "home", { "familyId": "rivera", "name": "Home" }),
        line!("column", "todo", { "familyId": "rivera", "boardId": "home", "name": "To do" }),
        line!("event", "trip", {
            "familyId": "rivera", "title": "A long trip", "emoji": "🚲", "startDate": AT,
            "endDate": "9000-01-01T00:00:00Z", "assigneeId": "ana",
        }),
        line!("shoppingList", "groceries", { "familyId": "rivera", "name": "Groceries" }),
        line!("shoppingItem", "milk", {
            "familyId": "rivera", "listId": "groceries", "name": "Milk", "quantity": "2 l", "addedById": "ana",
        }),
        task("Missed", Some(AT)),
    ];
    records.extend((1..=8).map(|number| task(&format!("Someday{number}"), None)));
    records
}

struct Service {
    runtime: Runtime,
    api: FamilyApi,
    url: String,
}

impl Service {
    fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let (api, acceptor) = runtime.block_on(async {
            let storage = MemoryStorage::default();
            let mut loader = storage.begin_load().await.unwrap();
            for record in records() {
                loader.insert(Record::from_json(record.to_string().as_bytes()).unwrap()).await.unwrap();
            }
            loader.commit().await.unwrap();
            (FamilyApi::new(Arc::new(storage)), TcpListener::new("127.0.0.1:0").try_bind().await.unwrap())
        });
        let address = acceptor.holdings()[0].local_addr.clone().into_std().unwrap();
        runtime.spawn(Server::new(acceptor).try_serve(FamilyRoutes::new(api.clone()).into_router()));
        Self { runtime, api, url: format!("http://{address}") }
    }

    async fn ana(&self) -> Caller {
        self.api.session_caller(&"ana".parse::<UserId>().unwrap().into()).await.unwrap()
    }

    fn create_key(&self, mode: KeyMode) -> String {
        self.runtime.block_on(async {
            let key = self.api.keys(&self.ana().await).unwrap().create(KeyDraft::new(mode)).await.unwrap();
            key.token.expose().to_owned()
        })
    }

    fn disable_personal_api(&self) {
        self.runtime.block_on(async {
            let change = ProfileChange::new().disable_personal_api();
            self.api.profile(&self.ana().await).unwrap().update(&change).await.unwrap();
        });
    }

    fn run_program(&self, token: &str) -> Output {
        run_program(&self.url, OsStr::new(token))
    }

    fn summary(&self, mode: KeyMode) -> String {
        let output = self.run_program(&self.create_key(mode));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn run_program(url: &str, token: &OsStr) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_family-api-integrator"));
    // The environment of the test run must not affect the program.
    command.env_clear().env("FAMILY_API_URL", url).env("FAMILY_API_TOKEN", token);
    command.output().unwrap()
}

const SECTIONS: &str = "

Today
  all day  🚲 A long trip (Ana)

To do
  overdue  Missed, due 20 Nov 2020 (Ana)
  low      Someday1 (Ana)
  low      Someday2 (Ana)
  low      Someday3 (Ana)
  low      Someday4 (Ana)
  low      Someday5 (Ana)
  low      Someday6 (Ana)
  and 2 more

To buy
  Groceries: Milk (2 l)
";

#[test]
fn v1_read_key_gets_a_summary_with_a_name() {
    let summary = Service::start().summary(KeyMode::V1Read);
    assert!(summary.starts_with("Good morning, Ana! It is "), "{summary}");
    assert!(summary.ends_with(SECTIONS), "{summary}");
}

#[test]
fn mcp_read_key_gets_a_summary_without_name_even_with_api_off() {
    let service = Service::start();
    // The second round runs after the personal API was switched off.
    for _ in 0..2 {
        let summary = service.summary(KeyMode::McpRead);
        assert!(summary.starts_with("Good morning! It is ") && summary.ends_with(SECTIONS), "{summary}");
        service.disable_personal_api();
    }
}

#[test]
fn invalid_key_is_reported_without_the_token() {
    let service = Service::start();
    for (token, reason) in [("canary", "(invalid_token)"), ("", "the token is empty")] {
        let output = service.run_program(token);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &[][..]));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("no summary today: ") && message.contains(reason), "{message}");
        assert!(!message.contains("canary"), "{message}");
    }
}

#[test]
fn stopped_service_is_reported_with_the_cause() {
    let unused_address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = run_program(&format!("http://{unused_address}"), OsStr::new("canary"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("could not connect to the service (Connection refused"), "{message}");
    assert!(!message.contains("canary"), "{message}");
}

#[test]
fn token_that_is_not_utf8_is_reported() {
    let output = run_program("http://127.0.0.1:1", OsStr::from_bytes(b"canary\xff"));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "no summary today: FAMILY_API_TOKEN is not UTF-8\n");
}

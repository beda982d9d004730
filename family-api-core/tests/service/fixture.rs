//! A family with Ana, Ben and Dan. Dan's personal API is off. Cleo has no family.

use std::sync::{Arc, Mutex};

use family_api_core::access::Caller;
use family_api_core::audit::{AuditEvent, AuditSink};
use family_api_core::change::NoteChange;
use family_api_core::key::{CreatedKey, EnvironmentTokens, KeyDraft, KeyMode, KeyPrefix};
use family_api_core::resource::{Note, Verb};
use family_api_core::storage::{BulkLoad, Record};
use family_api_core::validation::Reference;
use family_api_core::{
    Admission, Clock, Endpoint, Error, FamilyApi, FamilyApiBuilder, ManualClock, Precondition, Surface, Timestamp,
};
use family_api_testing::line;
use serde_json::Value;

use crate::test_storage::TestStorage;

const AT: &str = "2026-11-20T10:15:30.123Z";

/// The environment token of Ana.
pub(crate) const ENVIRONMENT_TOKEN: &str = "environment";
/// The environment token of a user who does not exist.
pub(crate) const UNKNOWN_USER_TOKEN: &str = "unknown-user-token";

/// The storage, the clock and the audit log of a test.
pub(crate) struct Fixture {
    pub(crate) storage: TestStorage,
    pub(crate) clock: ManualClock,
    pub(crate) audit_log: AuditLog,
}

/// An audit sink that keeps all events. Clones share one list.
#[derive(Clone, Default)]
pub(crate) struct AuditLog(Arc<Mutex<Vec<AuditEvent>>>);

impl AuditSink for AuditLog {
    fn record(&self, event: AuditEvent) {
        self.0.lock().unwrap().push(event);
    }
}

impl AuditLog {
    /// Returns the events since the last call of this function.
    pub(crate) fn take_events(&self) -> Vec<AuditEvent> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let (storage, audit_log) = (TestStorage::default(), AuditLog::default());
        let fixture = Self { storage, clock: ManualClock::new(AT.parse().unwrap()), audit_log };
        fixture.load(records()).await;
        fixture
    }

    /// Creates a fixture, and the API of its storage.
    pub(crate) async fn with_api() -> (Self, FamilyApi) {
        let fixture = Self::new().await;
        let api = fixture.api();
        (fixture, api)
    }

    /// Loads lines of the import format.
    pub(crate) async fn load(&self, lines: impl IntoIterator<Item = Value>) {
        let mut load = self.storage.memory.begin_load().await.unwrap();
        for line in lines {
            load.insert(Record::from_json(line.to_string().as_bytes()).unwrap()).await.unwrap();
        }
        load.commit().await.unwrap();
    }

    pub(crate) fn builder(&self) -> FamilyApiBuilder {
        let list = format!("ana|{ENVIRONMENT_TOKEN},unknown-user|{UNKNOWN_USER_TOKEN}");
        let tokens = EnvironmentTokens::parse(&list, &KeyPrefix::default()).unwrap();
        let builder = FamilyApi::builder(Arc::new(self.storage.clone())).environment_tokens(tokens);
        builder.clock(self.clock.clone()).audit(self.audit_log.clone())
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn api(&self) -> FamilyApi {
        self.builder().build()
    }
}

/// Creates a key with every scope that the API allows. For Dan, creates a key for the read path only, because his personal API is off.
pub(crate) async fn create_key(api: &FamilyApi, user: &str) -> CreatedKey {
    let mode = if user == "dan" {
        KeyMode::McpRead
    } else if api.key_modes().contains(&KeyMode::V1Full) {
        KeyMode::V1Full
    } else {
        KeyMode::V1ReadWrite
    };
    let session = session(api, user).await;
    api.keys(&session).unwrap().create(KeyDraft::new(mode).name("Grafana")).await.unwrap()
}

pub(crate) async fn session(api: &FamilyApi, user: &str) -> Caller {
    api.session_caller(&user.parse::<family_api_core::id::UserId>().unwrap().into()).await.unwrap()
}

/// Admits a request with a token.
pub(crate) async fn admit(api: &FamilyApi, token: &str, surface: Surface) -> Admission {
    api.admit([format!("Bearer {token}").as_bytes()], surface, Endpoint::Rest).await
}

pub(crate) async fn authorize(api: &FamilyApi, token: &str, surface: Surface) -> Result<Caller, Error> {
    admit(api, token, surface).await.caller
}

pub(crate) async fn rename_note(api: &FamilyApi, caller: &Caller, title: &str) {
    let (note, change) = (Reference::from("note"), NoteChange::new().title(title).build().unwrap());
    api.records::<Note>(caller, Verb::Update).unwrap().update(&note, change, &Precondition::None).await.unwrap();
}

fn records() -> Vec<Value> {
    vec![
        line!("family", "f", { "name": "F" }),
        user("ana", Some("f"), true),
        user("ben", Some("f"), true),
        user("cleo", None, true),
        user("dan", Some("f"), false),
        line!("board", "board", { "familyId": "f", "name": "B" }),
        line!("column", "column", { "familyId": "f", "boardId": "board", "name": "C" }),
        line!("task", "task", { "familyId": "f", "columnId": "column", "title": "Buy milk", "creatorId": "ana" }),
        line!("note", "note", { "familyId": "f", "title": "Soup", "authorId": "ana" }),
    ]
}

fn user(name: &str, family: Option<&str>, personal_api_enabled: bool) -> Value {
    line!("user", name, {
        "familyId": family, "email": format!("{name}@example.org"), "personalApiEnabled": personal_api_enabled,
    })
}

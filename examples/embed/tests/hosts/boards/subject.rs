//! The conformance suite on boards.

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_key};
use family_api_core::storage::{HostStorage, Record, Storage};
use family_api_sql::sqlite::SqliteStorage;
use serde_json::json;
use tempfile::TempDir;

use super::flaws::Flaw;
use super::{BOARD, Boards, CARD, LANE, NOTE};

const TEAM: &str = "INSERT INTO team (id, name) VALUES (?2->>'id', ?2->>'name')";
const PERSON: &str = "INSERT INTO person SELECT ?2->>'id', ?2->>'familyId', ?2->>'name', ?2->>'email', ?2->>'image',
    ?2->>'color', ?2->>'timeZone', ?2->>'personalApiEnabled'";

pub(super) struct Installed {
    pub(super) app: Boards,
    pub(super) keys: SqliteStorage,
    pub(super) storage: HostStorage<Boards, SqliteStorage>,
    _folder: TempDir,
}

impl Installed {
    pub(super) async fn new(flaw: Option<Flaw>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = Boards::open(folder.path().join("app.db"), flaw).await.unwrap();
        let keys = SqliteStorage::open(folder.path().join("keys.db")).await.unwrap();
        Self { storage: HostStorage::new(app.clone(), keys.clone()), app, keys, _folder: folder }
    }
}

#[async_trait]
impl Subject for Installed {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        for record in records {
            let json = json!(record);
            let statement = match record {
                Record::Key(key) => {
                    seed_key(&self.keys, key).await;
                    continue;
                }
                Record::Family(_) => TEAM,
                Record::User(_) => PERSON,
                Record::Board(_) => BOARD,
                Record::Column(_) => LANE,
                Record::Task(_) => CARD,
                Record::Note(_) => NOTE,
                other => panic!("boards has no {}", other.kind()),
            };
            let query = sqlx::query(statement).bind(json["familyId"].as_str()).bind(json.to_string());
            query.execute(&self.app.writer).await.unwrap();
        }
    }
}

family_api_conformance::storage_conformance!(Installed::new(None).await);

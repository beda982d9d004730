//! The plain baseline: reads the open tasks with salvo, sqlx, one query per kind of row, structs and serde.

mod handler;
mod member;
mod postgres;
mod rows;
mod sql;
mod sqlite;

use sqlx::{PgPool, SqlitePool};

use crate::failure::Result;
use handler::ReadTasks;
use salvo::prelude::*;

/// Serves the open tasks of a database at the path of the API.
pub(crate) async fn serve(url: &str) -> Result<()> {
    let handler = ReadTasks(Database::open(url).await?);
    super::serve(Router::with_path("api/v1/read/tasks").get(handler)).await
}

/// Opens a pool with the defaults of sqlx.
enum Database {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Database {
    async fn open(url: &str) -> sqlx::Result<Self> {
        Ok(if url.starts_with("sqlite:") {
            Self::Sqlite(SqlitePool::connect(url).await?)
        } else {
            Self::Postgres(PgPool::connect(url).await?)
        })
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::id::{FamilyId, UserId};
    use family_api_core::key::KeyDigest;
    use family_api_core::resource::TaskFilter;
    use family_api_core::storage::sqlite::SqliteStorage;
    use family_api_core::storage::{Load, Member, Password, ReadStorage, Record};

    use super::*;
    use crate::dataset;

    async fn storage(path: &std::path::Path) -> SqliteStorage {
        let storage = SqliteStorage::open(path).await.unwrap();
        let mut lines = vec![];
        dataset::write(&mut lines, 2).unwrap();
        let mut load = storage.begin_load().await.unwrap();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let mut record = Record::from_json(line).unwrap();
            if let Record::User(user) = &mut record {
                user.password = Password::None;
            }
            load.insert(record).await.unwrap();
        }
        load.commit().await.unwrap();
        storage
    }

    #[tokio::test]
    async fn the_baseline_returns_the_same_bytes_as_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        let product = storage(&path).await;
        let plain = Database::open(&format!("sqlite:{}", path.display())).await.unwrap();
        for (family, member) in [(0, 0), (0, 1), (1, 0), (2, 1)] {
            let digest = *KeyDigest::of(&dataset::token(family, member)).as_bytes();
            let found = plain.member(&digest).await.unwrap().unwrap();
            let expected = product.list_tasks(&caller(&found), TaskFilter::Open).await.unwrap().into_bytes();
            assert!(plain.read_tasks(&found).await.unwrap() == expected, "member {member} of family {family}");
        }
        assert!(plain.member(&[0; 32]).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn the_measured_document_has_100_tasks_in_82_kilobytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        storage(&path).await;
        let plain = Database::open(&format!("sqlite:{}", path.display())).await.unwrap();
        let mut lengths = vec![];
        for family in [0, 1] {
            let found = plain.member(KeyDigest::of(&dataset::token(family, 0)).as_bytes()).await.unwrap().unwrap();
            let document = plain.read_tasks(&found).await.unwrap();
            lengths.push(document.len());
            let tasks = String::from_utf8(document).unwrap().matches("\"columnId\"").count();
            assert_eq!(tasks, [100, 10][family as usize]);
        }
        assert!((80_000..84_000).contains(&lengths[0]) && (7_000..10_000).contains(&lengths[1]), "{lengths:?}");
    }

    fn caller(member: &member::Member) -> Member {
        let (user, family) = (UserId::try_from(member.user.clone()), FamilyId::try_from(member.family.clone()));
        Member { user: user.unwrap(), family: family.unwrap() }
    }
}

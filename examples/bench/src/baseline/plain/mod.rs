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

/// A pool with the defaults of sqlx.
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
    use family_api_core::storage::{Member, ReadStorage};

    use super::*;
    use crate::dataset;
    use crate::dataset::imported::import;

    #[tokio::test]
    async fn the_baseline_returns_the_same_bytes_as_the_storage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        let storage = import(&path).await;
        let plain = Database::open(&format!("sqlite:{}", path.display())).await.unwrap();
        for (family, member) in [(0, 0), (0, 1), (1, 0), (2, 1)] {
            let digest = *KeyDigest::of(&dataset::token(family, member)).as_bytes();
            let baseline_member = plain.find_member(&digest).await.unwrap().unwrap();
            let expected =
                storage.list_tasks(&core_member(&baseline_member), TaskFilter::Open).await.unwrap().into_bytes();
            assert!(
                plain.read_tasks(&baseline_member).await.unwrap() == expected,
                "different bytes for member {member} of family {family}"
            );
        }
        assert!(plain.find_member(&[0; 32]).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn the_measured_family_has_100_tasks_in_80_to_84_kilobytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        import(&path).await;
        let plain = Database::open(&format!("sqlite:{}", path.display())).await.unwrap();
        let mut lengths = vec![];
        for family in [0, 1] {
            let baseline_member =
                plain.find_member(KeyDigest::of(&dataset::token(family, 0)).as_bytes()).await.unwrap().unwrap();
            let document = plain.read_tasks(&baseline_member).await.unwrap();
            lengths.push(document.len());
            let tasks = String::from_utf8(document).unwrap().matches("\"columnId\"").count();
            assert_eq!(tasks, [100, 10][family as usize]);
        }
        assert!((80_000..84_000).contains(&lengths[0]) && (7_000..10_000).contains(&lengths[1]), "{lengths:?}");
    }

    fn core_member(member: &member::Member) -> Member {
        let (user, family) = (UserId::try_from(member.user.clone()), FamilyId::try_from(member.family.clone()));
        Member { user: user.unwrap(), family: family.unwrap() }
    }
}

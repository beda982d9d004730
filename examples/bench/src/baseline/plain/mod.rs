//! The plain baseline, written by hand with axum, one query for each kind of row, structs and serde. It reads SQLite
//! with rusqlite and PostgreSQL with sqlx.

mod handler;
mod member;
mod postgres;
mod rows;
mod sql;
mod sqlite;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use sqlx::PgPool;

use crate::failure::Result;

/// Serves the open tasks of a database at the path of the API.
pub(crate) async fn serve(url: &str) -> Result<()> {
    let database = Database::open(url).await?;
    super::serve(Router::new().route("/api/v1/read/tasks", get(handler::read_tasks)).with_state(database)).await
}

#[derive(Clone)]
enum Database {
    Sqlite(Arc<sqlite::Pool>),
    /// A pool with the defaults of sqlx.
    Postgres(PgPool),
}

impl Database {
    async fn open(url: &str) -> Result<Self> {
        Ok(match url.strip_prefix("sqlite:") {
            Some(path) => Self::Sqlite(Arc::new(sqlite::Pool::open(path)?)),
            None => Self::Postgres(PgPool::connect(url).await?),
        })
    }

    /// Returns the open tasks that the member with this digest of a token can see, as JSON.
    async fn read_tasks(&self, digest: [u8; 32]) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Sqlite(pool) => pool.read_tasks(digest).await,
            Self::Postgres(pool) => postgres::read_tasks(pool, digest).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::id::{FamilyId, UserId};
    use family_api_core::key::KeyDigest;
    use family_api_core::resource::TaskFilter;
    use family_api_core::storage::{Member, ReadStorage};
    use rusqlite::Connection;

    use super::*;
    use crate::dataset;
    use crate::dataset::imported::import;

    fn digest(family: u32, member: u16) -> [u8; 32] {
        *KeyDigest::of(&dataset::token(family, member)).as_bytes()
    }

    #[tokio::test]
    async fn the_baseline_returns_the_same_bytes_as_the_storage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        let storage = import(&path).await;
        let plain = Database::open(&format!("sqlite:{}", path.display())).await.unwrap();
        let connection = Connection::open(&path).unwrap();
        for (family, member) in [(0, 0), (0, 1), (1, 0), (2, 1)] {
            let digest = digest(family, member);
            let reader = sqlite::find_member(&connection, &digest).unwrap().unwrap();
            let expected = storage.list_tasks(&core_member(&reader), TaskFilter::Open).await.unwrap().into_bytes();
            assert!(
                plain.read_tasks(digest).await.unwrap().unwrap() == expected,
                "different bytes for member {member} of family {family}"
            );
        }
        assert!(plain.read_tasks([0; 32]).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn the_measured_family_has_100_tasks_in_84_to_88_kilobytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        import(&path).await;
        let plain = Database::open(&format!("sqlite:{}", path.display())).await.unwrap();
        let mut lengths = vec![];
        for family in [0, 1] {
            let document = plain.read_tasks(digest(family, 0)).await.unwrap().unwrap();
            lengths.push(document.len());
            let tasks = String::from_utf8(document).unwrap().matches("\"columnId\"").count();
            assert_eq!(tasks, [100, 10][family as usize]);
        }
        assert!((84_000..88_000).contains(&lengths[0]) && (7_000..10_000).contains(&lengths[1]), "{lengths:?}");
    }

    fn core_member(member: &member::Member) -> Member {
        let (user, family) = (UserId::try_from(member.user.clone()), FamilyId::try_from(member.family.clone()));
        Member { user: user.unwrap(), family: family.unwrap() }
    }
}

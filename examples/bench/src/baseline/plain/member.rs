//! Authenticates a token.

use sqlx::FromRow;
use sqlx::types::Json;

use super::{Database, sql};

/// The member that a token belongs to.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) user: String,
    pub(super) family: String,
}

/// A key and its user. `L` is the database's type for a list of texts.
#[derive(FromRow)]
struct Key<L> {
    user_id: String,
    family_id: Option<String>,
    personal_api_enabled: bool,
    scopes: L,
}

impl Database {
    /// Returns the member whose token has this SHA-256 digest, if the key has the scope `v1.read` and the user has
    /// enabled the personal API.
    pub(super) async fn find_member(&self, digest: &[u8]) -> sqlx::Result<Option<Member>> {
        Ok(match self {
            Self::Sqlite(pool) => {
                let query = sqlx::query_as::<_, Key<Json<Vec<String>>>>(sql::SQLITE_KEY).bind(digest);
                query.fetch_optional(pool).await?.and_then(Key::into_member)
            }
            Self::Postgres(pool) => {
                let query = sqlx::query_as::<_, Key<Vec<String>>>(sql::POSTGRES_KEY).bind(digest);
                query.fetch_optional(pool).await?.and_then(Key::into_member)
            }
        })
    }
}

impl<L: AsRef<Vec<String>>> Key<L> {
    fn into_member(self) -> Option<Member> {
        let may_read = self.personal_api_enabled && self.scopes.as_ref().iter().any(|scope| scope == "v1.read");
        let family = self.family_id.filter(|_| may_read)?;
        Some(Member { user: self.user_id, family })
    }
}

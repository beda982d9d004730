//! Fills the tables of deleted records and idempotency keys of one family up to the maximum of one kind and one user.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};

use crate::dataset::MEASURED_FAMILY;
use crate::failure::Result;

/// The maximum number of deleted records of one kind of a family, and of idempotency keys of one user.
const MAX_ROWS: u32 = 5_000;

/// The expressions in which the databases differ.
struct Dialect {
    now: &'static str,
    /// The digest of a request: 32 bytes.
    digest: &'static str,
    /// A text of 400 characters.
    text: &'static str,
}

const SQLITE: Dialect =
    Dialect { now: "strftime('%Y-%m-%dT%H:%M:%fZ')", digest: "zeroblob(32)", text: "hex(zeroblob(200))" };
const POSTGRES: Dialect = Dialect { now: "now()", digest: "decode(repeat('00', 32), 'hex')", text: "repeat('0', 400)" };

/// Adds the rows to the measured family.
pub(super) async fn fill(database: &str) -> Result<()> {
    if database.starts_with("postgres") {
        execute(&mut PgConnection::connect(database).await?, &POSTGRES).await
    } else {
        execute(&mut SqliteConnection::connect(database).await?, &SQLITE).await
    }
}

async fn execute<'c, C>(connection: &'c mut C, dialect: &Dialect) -> Result<()>
where
    &'c mut C: Executor<'c>,
{
    Ok(connection.execute(AssertSqlSafe(statements(dialect))).await.map(drop)?)
}

fn statements(Dialect { now, digest, text }: &Dialect) -> String {
    let numbers = format!("WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {MAX_ROWS})");
    let member = format!("n CROSS JOIN users u WHERE u.email = 'member-{MEASURED_FAMILY}-0@family.example'");
    format!(
        "{numbers} INSERT INTO deleted_records (family_id, kind, id, record, deleted_at) \
         SELECT u.family_id, 'task', 'deleted-' || n.n, '{{\"title\": \"' || {text} || '\"}}', {now} FROM {member}; \
         {numbers} INSERT INTO idempotency_keys (family_id, user_id, key, request, kind, record_id, created_at) \
         SELECT u.family_id, u.id, 'key-' || n.n, {digest}, 'task', 'created-' || n.n, {now} FROM {member};"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::imported::import;

    #[tokio::test]
    async fn only_the_measured_family_gets_the_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("family.db");
        import(&path).await;
        let database = format!("sqlite:{}", path.display());
        fill(&database).await.unwrap();
        let mut connection = SqliteConnection::connect(&database).await.unwrap();
        for table in ["deleted_records", "idempotency_keys"] {
            let counts = format!("SELECT count(*) FROM {table} GROUP BY family_id");
            let counts: Vec<u32> = sqlx::query_scalar(AssertSqlSafe(counts)).fetch_all(&mut connection).await.unwrap();
            assert_eq!(counts, [MAX_ROWS], "{table}");
        }
    }
}

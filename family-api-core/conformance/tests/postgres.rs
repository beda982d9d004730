//! Runs the conformance suite on the storage in PostgreSQL.

use family_api_sql::postgres::{CITUS_DISTRIBUTION, PostgresStorage, REVISION_TRIGGERS};
use family_api_testing::{Database, Server, on_postgres};
use sqlx::Executor;

use crate::subject::Stored;

type Postgres = Stored<PostgresStorage, Database>;

async fn default_subject() -> Postgres {
    let database = Server::shared().create_database().await;
    open(database).await
}

/// Creates a database whose tables the storage takes for distributed.
async fn distributed_subject() -> Postgres {
    let Stored { storage, place } = default_subject().await;
    storage.close().await;
    place.distribute(CITUS_DISTRIBUTION).await;
    open(place).await
}

/// Creates a database with the revision triggers of a host and with serializable isolation. With this isolation,
/// PostgreSQL rolls back conflicting transactions.
async fn host_subject() -> Postgres {
    let database = Server::shared().create_database().await;
    let isolation = format!("ALTER DATABASE {} SET default_transaction_isolation = 'serializable'", database.name());
    database.connect().await.execute(sqlx::AssertSqlSafe(isolation)).await.unwrap();
    let mut host = database.connect().await;
    let subject = open(database).await;
    host.execute(REVISION_TRIGGERS).await.unwrap();
    subject
}

async fn open(database: Database) -> Postgres {
    let storage = PostgresStorage::open(database.url()).await.unwrap();
    Stored { storage, place: database }
}

mod default_database {
    use super::{default_subject, on_postgres};

    on_postgres!(family_api_conformance::storage_conformance, default_subject().await);
    on_postgres!(family_api_conformance::load_conformance, default_subject().await);
    on_postgres!(family_api_conformance::update_conformance, default_subject().await);
    on_postgres!(family_api_conformance::credentials_conformance, default_subject().await);
    on_postgres!(family_api_conformance::grants_conformance, default_subject().await);
    on_postgres!(family_api_conformance::feeds_conformance, default_subject().await);
}

mod distributed_database {
    use super::{distributed_subject, on_postgres};

    on_postgres!(family_api_conformance::storage_conformance, distributed_subject().await);
    on_postgres!(family_api_conformance::load_conformance, distributed_subject().await);
    on_postgres!(family_api_conformance::credentials_conformance, distributed_subject().await);
    on_postgres!(family_api_conformance::grants_conformance, distributed_subject().await);
    on_postgres!(family_api_conformance::feeds_conformance, distributed_subject().await);
}

mod host_database {
    use super::{host_subject, on_postgres};

    on_postgres!(family_api_conformance::storage_conformance, host_subject().await);
    on_postgres!(family_api_conformance::load_conformance, host_subject().await);
    on_postgres!(family_api_conformance::update_conformance, host_subject().await);
    on_postgres!(family_api_conformance::grants_conformance, host_subject().await);
    on_postgres!(family_api_conformance::feeds_conformance, host_subject().await);
}

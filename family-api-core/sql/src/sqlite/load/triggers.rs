//! The triggers that increment a revision for every inserted record, which takes longer than the inserts themselves.
//!
//! A load drops them and creates them again in the same transaction, so other connections never see them missing. It
//! increments the revisions once, when it commits.

use family_api_core::storage::value::Values;
use family_api_core::storage::{Record, StorageError};
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::sqlite::error::fault;
use crate::sqlite::row::Row;

const FIND: &str = "
    SELECT name, sql FROM sqlite_schema
    WHERE type = 'trigger' AND name IN (SELECT value FROM json_each(?1))";

/// The definitions of the dropped triggers.
pub(super) struct DroppedTriggers(Vec<String>);

impl DroppedTriggers {
    pub(super) async fn drop(connection: &mut SqliteConnection) -> Result<Self, StorageError> {
        let tables = Record::TABLES.iter().filter(|table| table.kind != "family");
        let mut names: Vec<String> = tables.map(|table| format!("{}_inserted", table.name)).collect();
        names.push("users_replaced".to_owned());
        let names = serde_json::to_string(&names).map_err(StorageError::backend)?;
        let mut definitions = Vec::new();
        for row in sqlx::query(FIND).bind(names).map(Row).fetch_all(&mut *connection).await.map_err(fault)? {
            let mut values = Values::of(&row);
            let name: String = values.take()?;
            definitions.push(values.take()?);
            execute(connection, format!("DROP TRIGGER {name}")).await?;
        }
        Ok(Self(definitions))
    }

    pub(super) async fn create(self, connection: &mut SqliteConnection) -> Result<(), StorageError> {
        for definition in self.0 {
            execute(connection, definition).await?;
        }
        Ok(())
    }
}

async fn execute(connection: &mut SqliteConnection, sql: String) -> Result<(), StorageError> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.map_err(fault)?;
    Ok(())
}

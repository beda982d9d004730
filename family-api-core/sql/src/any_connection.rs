//! One type for the connections of both databases.

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{Datum, StoredRow};

use crate::sql_connection::{Engine, SqlConnection};

/// Defines the connection and its rows, with one variant for each database.
macro_rules! any_connection {
    ($($(#[$feature:meta])* $Database:ident($Connection:ty),)*) => {
        /// A connection to one of the databases. Code with this type is in the binary once. Code that is generic over
        /// [`SqlConnection`] is there once for each database. The steps of a write have this type, because they are
        /// also generic over the kind of the record.
        pub(crate) enum AnyConnection<'c> {
            $($(#[$feature])* $Database(&'c mut $Connection),)*
        }

        /// A row of one of the databases.
        pub(crate) enum AnyRow {
            $($(#[$feature])* $Database(<$Connection as SqlConnection>::Row),)*
        }

        $($(#[$feature])* impl<'c> From<&'c mut $Connection> for AnyConnection<'c> {
            fn from(connection: &'c mut $Connection) -> Self {
                Self::$Database(connection)
            }
        })*

        impl AnyRow {
            fn row(&self) -> &dyn StoredRow {
                match self {
                    $($(#[$feature])* Self::$Database(row) => row,)*
                }
            }
        }

        impl SqlConnection for AnyConnection<'_> {
            type Row = AnyRow;

            fn engine(&self) -> Engine {
                match self {
                    $($(#[$feature])* Self::$Database(_) => Engine::$Database,)*
                }
            }

            async fn find_row(
                &mut self,
                sql: &'static str,
                arguments: Vec<Datum<'_>>,
            ) -> Result<Option<AnyRow>, StorageError> {
                Ok(match self {
                    $($(#[$feature])* Self::$Database(connection) => {
                        connection.find_row(sql, arguments).await?.map(AnyRow::$Database)
                    })*
                })
            }

            async fn find_rows(
                &mut self,
                sql: &'static str,
                arguments: Vec<Datum<'_>>,
            ) -> Result<Vec<AnyRow>, StorageError> {
                Ok(match self {
                    $($(#[$feature])* Self::$Database(connection) => {
                        let rows = connection.find_rows(sql, arguments).await?;
                        rows.into_iter().map(AnyRow::$Database).collect()
                    })*
                })
            }

            async fn execute(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<u64, StorageError> {
                match self {
                    $($(#[$feature])* Self::$Database(connection) => connection.execute(sql, arguments).await,)*
                }
            }
        }
    };
}

any_connection! {
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgConnection),
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::SqliteConnection),
}

impl StoredRow for AnyRow {
    fn text(&self, position: usize) -> Result<Option<&str>, StorageError> {
        self.row().text(position)
    }

    fn integer(&self, position: usize) -> Result<Option<i64>, StorageError> {
        self.row().integer(position)
    }

    fn boolean(&self, position: usize) -> Result<Option<bool>, StorageError> {
        self.row().boolean(position)
    }

    fn instant(&self, position: usize) -> Result<Option<Timestamp>, StorageError> {
        self.row().instant(position)
    }

    fn texts(&self, position: usize) -> Result<Option<Vec<String>>, StorageError> {
        self.row().texts(position)
    }

    fn bytes(&self, position: usize) -> Result<Option<&[u8]>, StorageError> {
        self.row().bytes(position)
    }
}

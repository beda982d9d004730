//! The state of a database, as an operator sees it.

use family_api_core::storage::KindCount;
use serde::Serialize;

use crate::migration_state::SchemaState;

/// The state of a database: its schema, whether it is sound, how much it contains, and what is unusual.
///
/// `SqliteOptions::inspect` and `PostgresOptions::inspect` return it. They change nothing, and work while servers use
/// the database.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// The schema, compared with the one of this version.
    pub schema: SchemaState,
    /// What is damaged or missing. Empty if the database is sound.
    pub damage: Vec<Finding>,
    /// The numbers of records and credentials. Empty if the database is damaged.
    pub counts: Vec<KindCount>,
    /// What is unusual. `None` if it was not searched, because the schema is not the one of this version, or because
    /// the database is damaged.
    pub unusual: Option<Vec<Finding>>,
}

/// Something that an operator should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// A name that does not change, such as `usersWithoutFamily`.
    pub name: String,
    /// What was found, such as `users without a family`.
    pub description: String,
    /// How many were found.
    pub count: u64,
    /// Up to [`MAX_EXAMPLES`](Self::MAX_EXAMPLES) of them: ids, names or messages. The id of a record follows the id of
    /// its family and `/`.
    pub examples: Vec<String>,
}

impl Finding {
    /// Maximum number of examples.
    pub const MAX_EXAMPLES: usize = 5;

    /// Returns what was found, or `None` if `found` is empty.
    pub(crate) fn of(name: &str, description: &str, mut found: Vec<String>) -> Option<Self> {
        let count = found.len() as u64;
        found.truncate(Self::MAX_EXAMPLES);
        (count > 0).then(|| Self { name: name.to_owned(), description: description.to_owned(), count, examples: found })
    }
}

//! The rows whose shards determine a server, and the statements that find their servers.

use crate::postgres::leases::Shards;

/// The tables whose rows determine a server, each by its distribution column.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Table {
    Families,
    Keys,
    Passwords,
}

/// The table of a row, and the value of its distribution column.
pub(super) type Row<T> = (Table, T);

impl<'a> Shards<'a> {
    /// Returns the row whose server the call queries. `None` if it queries several servers.
    pub(super) fn row(self) -> Option<Row<&'a [u8]>> {
        match self {
            Self::OfFamily(family) => Some((Table::Families, family.as_str().as_bytes())),
            Self::OfToken(digest) => Some((Table::Keys, digest.as_bytes())),
            Self::OfPassword(user) => Some((Table::Passwords, user.as_str().as_bytes())),
            Self::Several => None,
        }
    }
}

/// Creates the statement that finds the server of a row. The subquery is executed once, not for each placement.
///
/// Every server of a Citus cluster has the placements, and executes the statement alone.
macro_rules! find_server {
    ($table:literal, $value:literal) => {
        concat!(
            "SELECT groupid FROM pg_dist_placement WHERE shardid = ",
            "(SELECT get_shard_id_for_distribution_column('",
            $table,
            "', ",
            $value,
            "))"
        )
    };
}

impl Table {
    pub(super) const fn find_server(self) -> &'static str {
        match self {
            Self::Families => find_server!("families", "convert_from($1, 'UTF8')"),
            Self::Keys => find_server!("integration_keys", "$1::bytea"),
            Self::Passwords => find_server!("passwords", "convert_from($1, 'UTF8')"),
        }
    }
}

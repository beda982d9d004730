//! Reads of the members of a family.

use crate::resource::{Document, Person};
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::decode::{Values, revision};
use crate::storage::postgres::decode_records::{person, person_columns};
use crate::storage::postgres::error::fault;
use crate::storage::{Member, StorageError};

/// Returns a row for each member, and one row without a person for a family without members.
pub(super) const LIST: &str = concat!(
    "SELECT ",
    person_columns!("u"),
    ", f.revision
    FROM families f
    LEFT JOIN users u ON u.family_id = $1
    WHERE f.id = $1
    ORDER BY u.id"
);

pub(super) async fn list(connections: &Connections, member: &Member) -> Result<Document<Vec<Person>>, StorageError> {
    let query = sqlx::query(LIST).bind(member.family.as_str());
    let rows = query.fetch_all(&mut *connections.lease().await?).await.map_err(fault)?;
    let members = rows.iter().filter_map(|row| person(&mut Values::of(row)).transpose());
    let members: Vec<Person> = members.collect::<Result<_, _>>()?;
    Ok(Document::of(&members)?.with_revision(revision(&rows)?))
}

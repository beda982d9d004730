//! The time zones of events whose lines name none.

use std::collections::{BTreeMap, HashMap};

use family_api_core::Timestamp;
use family_api_core::calendar::ZoneName;
use family_api_core::id::UserId;
use family_api_core::storage::value::Values;
use family_api_core::storage::{StorageError, first_member_zone};

use crate::bulk::changes::Changes;
use crate::bulk::load_sql::Dialect;
use crate::bulk::{BulkTransaction, plain_value};

const FIND_FAMILIES: &str = "SELECT DISTINCT family_id FROM events WHERE time_zone IS NULL";

/// The number of families whose members a statement reads.
const PAGE: usize = 1_000;

/// Returns a query of the members of the families in the rows.
fn find_members(dialect: &Dialect) -> String {
    format!(
        "{} SELECT u.family_id, u.created_at, u.id, u.time_zone FROM r JOIN users u ON u.family_id = {}",
        dialect.rows,
        plain_value(0)
    )
}

/// Sets the zone of each event without one to that of its family's first member. This happens after the last row,
/// because users can follow events.
pub(super) async fn fill<T: BulkTransaction>(transaction: &mut T, changes: &mut Changes) -> Result<(), StorageError> {
    let rows = transaction.run(FIND_FAMILIES.to_owned(), None).await?;
    let families = rows.iter().map(|row| Values::of(row).take()).collect::<Result<Vec<String>, _>>()?;
    for page in families.chunks(PAGE) {
        let rows: Vec<_> = page.iter().map(|family| [family]).collect();
        let rows = serde_json::to_string(&rows).map_err(StorageError::backend)?;
        let mut members: HashMap<String, Vec<(Timestamp, UserId, ZoneName)>> = HashMap::new();
        for row in transaction.run(find_members(&T::DIALECT), Some(&rows)).await? {
            let mut values = Values::of(&row);
            let member = members.entry(values.take()?).or_default();
            member.push((values.take()?, values.take()?, values.take()?));
        }
        let mut zones: BTreeMap<ZoneName, Vec<String>> = BTreeMap::new();
        for family in page {
            let zone = first_member_zone(members.remove(family).unwrap_or_default());
            zones.entry(zone).or_default().push(family.clone());
        }
        for (zone, families) in zones {
            transaction.set_event_zones(zone.as_str(), &families).await?;
        }
    }
    changes.families.extend(families);
    Ok(())
}

/// Returns the statement that looks up rows.
#[cfg(test)]
pub(crate) fn all_statements(dialect: &Dialect) -> Vec<String> {
    vec![find_members(dialect)]
}

//! The commands of `family`.

use family_api_core::id::FamilyId;
use family_api_core::storage::FamilySummary;
use family_api_core::{Clock, SystemClock};
use serde_json::json;

use crate::administration::list::{Entry, PAGE_SIZE, day, print_pages};
use crate::administration::options::{AddFamily, RemoveFamily, Target};
use crate::administration::{counts, record};
use crate::database::Database;
use crate::error::CommandError;

/// Adds a family with its first records.
pub(super) async fn add(options: AddFamily) -> Result<(), CommandError> {
    let AddFamily { name, id, first_records, target } = options;
    let (id, now) = record::id_at_now(id)?;
    let family = json!({ "type": "family", "id": id, "name": name, "createdAt": now, "updatedAt": now });
    let records = [vec![family], first_records.of_family(&id, now)?].concat();
    let family = target
        .with_database(async |database| {
            record::insert(&*database.storage, &records).await?;
            find(database, &id).await
        })
        .await?;
    let with = first_records.description();
    target.print(&format!("added the family {}, id {}{with}", family.name, family.id), &family)
}

/// Lists all families.
pub(super) async fn list(target: Target) -> Result<(), CommandError> {
    let pages = async |database: &Database| {
        print_pages(target.json, async |last: Option<&FamilySummary>| {
            database.storage.list_families(last.map(|family| &family.id), PAGE_SIZE).await
        })
        .await
    };
    target.with_database(pages).await
}

/// Removes a family with its records.
pub(super) async fn remove(options: RemoveFamily) -> Result<(), CommandError> {
    let RemoveFamily { id, confirmation, target } = options;
    let deleted = target
        .with_database(async |database| {
            let family = find(database, &id).await?;
            let counts = database.storage.count_family(&id).await?;
            confirmation.ask(&format!(
                "This removes the family {} with its records ({}). Its users ({}) stay, without a family",
                family.name,
                counts::describe(&counts),
                family.members
            ))?;
            let deleted = database.storage.delete_family(&id, SystemClock.now()).await?;
            deleted.ok_or_else(|| CommandError::UnknownFamily(id.clone()))
        })
        .await?;
    let text = format!("removed the family {id} with its records ({})", counts::describe(&deleted));
    target.print(&text, &json!({ "id": id, "deleted": counts::json(&deleted) }))
}

/// Returns the family with an id.
pub(super) async fn find(database: &Database, id: &FamilyId) -> Result<FamilySummary, CommandError> {
    let family = database.storage.find_family(id).await?;
    family.ok_or_else(|| CommandError::UnknownFamily(id.clone()))
}

impl Entry for FamilySummary {
    const HEADER: &'static [&'static str] = &["Id", "Name", "Users", "Created"];

    fn cells(&self) -> Vec<Vec<String>> {
        let created = day(self.created_at);
        [self.id.to_string(), self.name.clone(), self.members.to_string(), created].map(|cell| vec![cell]).into()
    }
}

//! The commands of `user`, except `set-password`.

use family_api_core::calendar::{Zone, ZoneName};
use family_api_core::id::FamilyId;
use family_api_core::storage::{UserChange, UserMove, UserSummary, UserUpdate};
use family_api_core::{Clock, SystemClock};
use jiff::tz::TimeZone;
use serde_json::json;

use crate::administration::list::{Entry, PAGE_SIZE, print_pages};
use crate::administration::options::{AddUser, ListUsers, MoveUser, RemoveUser, SetUser};
use crate::administration::{counts, families, find_user, record};
use crate::database::Database;
use crate::error::CommandError;

/// Adds a user without a password.
pub(super) async fn add(options: AddUser) -> Result<(), CommandError> {
    let (id, now) = record::id_at_now(options.id)?;
    let user = options
        .target
        .with_database(async |database| {
            let time_zone = match options.time_zone {
                Some(zone) => zone,
                None => default_zone(database, options.membership.family.as_ref()).await?.to_string(),
            };
            let user = json!({
                "type": "user", "id": id, "familyId": options.membership.family, "name": options.name,
                "email": options.email.as_str(), "color": options.color, "emoji": options.emoji,
                "displayCurrency": options.currency, "timeZone": time_zone,
                "personalApiEnabled": options.personal_api, "llmKeyConfigured": false, "createdAt": now,
                "updatedAt": now,
            });
            record::insert(&*database.storage, &[user]).await?;
            find_user(database, options.email.as_str()).await
        })
        .await?;
    let (email, zone) = (&user.email, &user.time_zone);
    let text = format!(
        "added the user {} in the time zone {zone}; `user set {email} --time-zone ZONE` changes it, and \
         `user set-password {email}` sets the password",
        user.name
    );
    options.target.print(&text, &user)
}

/// Returns the time zone of a family's first member. Without a member, returns that of this machine, or UTC if its name
/// is unknown.
async fn default_zone(database: &Database, family: Option<&FamilyId>) -> Result<ZoneName, CommandError> {
    let mut first = None;
    if let Some(family) = family {
        let mut page = database.storage.list_users(Some(family), None, PAGE_SIZE).await?;
        while let Some(last) = page.last().map(|user| user.id.clone()) {
            let members = page.into_iter().map(|user| (user.created_at, user.id, user.time_zone));
            first = first.into_iter().chain(members).min();
            page = database.storage.list_users(Some(family), Some(&last), PAGE_SIZE).await?;
        }
    }
    Ok(first.map_or_else(zone_of_machine, |(.., zone)| zone))
}

fn zone_of_machine() -> ZoneName {
    let zone = TimeZone::system();
    let name = zone.iana_name().and_then(|name| name.parse().ok());
    name.unwrap_or_else(|| Zone::utc().into())
}

/// Lists the users of a family, or all users.
pub(super) async fn list(options: ListUsers) -> Result<(), CommandError> {
    let ListUsers { family, target } = options;
    let pages = async |database: &Database| {
        if let Some(family) = &family {
            families::find(database, family).await?;
        }
        print_pages(target.json, async |last: Option<&UserSummary>| {
            database.storage.list_users(family.as_ref(), last.map(|user| &user.id), PAGE_SIZE).await
        })
        .await
    };
    target.with_database(pages).await
}

/// Removes a user with all credentials and private records.
pub(super) async fn remove(options: RemoveUser) -> Result<(), CommandError> {
    let RemoveUser { email, confirmation, target } = options;
    let (user, deleted) = target
        .with_database(async |database| {
            let user = find_user(database, &email).await?;
            let counts = database.storage.count_user(&user.id).await?;
            confirmation.ask(&format!(
                "This removes the user {} with all credentials and private records ({})",
                user.name,
                counts::describe(&counts)
            ))?;
            let deleted = database.storage.delete_user(&user.id).await?;
            let deleted = deleted.ok_or_else(|| CommandError::UnknownUser(email.clone()))?;
            Ok((user, deleted))
        })
        .await?;
    let text =
        format!("removed the user {email} with credentials and private records ({})", counts::describe(&deleted));
    target.print(&text, &json!({ "id": user.id, "deleted": counts::json(&deleted) }))
}

/// Changes a user.
pub(super) async fn set(options: SetUser) -> Result<(), CommandError> {
    let SetUser { email, name, new_email, time_zone, target } = options;
    let mut change = UserChange::default();
    change.name = name;
    change.email = new_email.as_ref().map(|email| email.as_str().to_owned());
    change.time_zone = time_zone;
    let user = target
        .with_database(async |database| {
            let user = find_user(database, &email).await?;
            let updated = database.storage.update_user(&user.id, &change, SystemClock.now()).await?;
            match (updated, &new_email) {
                (UserUpdate::Updated, Some(new)) => find_user(database, new.as_str()).await,
                (UserUpdate::Updated, None) => find_user(database, &email).await,
                (UserUpdate::EmailTaken, Some(new)) => Err(CommandError::EmailTaken(new.as_str().to_owned())),
                _ => Err(CommandError::UnknownUser(email.clone())),
            }
        })
        .await?;
    target.print(&format!("changed the user {}, {}, in the time zone {}", user.name, user.email, user.time_zone), &user)
}

/// Moves a user to another family, or out of the family.
pub(super) async fn change_family(options: MoveUser) -> Result<(), CommandError> {
    let MoveUser { email, membership, target } = options;
    let family = membership.family;
    let user = target
        .with_database(async |database| {
            let user = find_user(database, &email).await?;
            let moved = database.storage.move_user(&user.id, family.as_ref(), SystemClock.now()).await?;
            match (moved, &family) {
                (UserMove::Moved, _) => find_user(database, &email).await,
                (UserMove::UnknownFamily, Some(family)) => Err(CommandError::UnknownFamily(family.clone())),
                _ => Err(CommandError::UnknownUser(email.clone())),
            }
        })
        .await?;
    let place =
        user.family_id.as_ref().map_or("is in no family".to_owned(), |family| format!("is in the family {family}"));
    target.print(&format!("{email} {place}"), &user)
}

impl Entry for UserSummary {
    const HEADER: &'static [&'static str] = &["E-mail and id", "Name and time zone", "Password", "Family"];

    fn cells(&self) -> Vec<Vec<String>> {
        let password = if self.has_password { "yes" } else { "no" };
        let family = self.family_id.as_ref().map_or("none", |family| family.as_str());
        vec![
            vec![self.email.clone(), self.id.to_string()],
            vec![self.name.clone(), self.time_zone.to_string()],
            vec![password.to_owned()],
            vec![family.to_owned()],
        ]
    }
}

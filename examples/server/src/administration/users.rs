//! The commands of `user`, except `set-password`.

use family_api_core::storage::{UserChange, UserMove, UserSummary, UserUpdate};
use family_api_core::{Clock, SystemClock};
use serde_json::json;

use crate::administration::list::{Entry, PAGE_SIZE, print_pages};
use crate::administration::options::{AddUser, ListUsers, MoveUser, RemoveUser, SetUser};
use crate::administration::{counts, families, find_user, record};
use crate::database::Database;
use crate::error::CommandError;

/// Adds a user without a password.
pub(super) async fn add(options: AddUser) -> Result<(), CommandError> {
    let (id, now) = record::id_at_now(options.id)?;
    let user = json!({
        "type": "user", "id": id, "familyId": options.membership.family, "name": options.name,
        "email": options.email.as_str(), "color": options.color, "emoji": options.emoji,
        "displayCurrency": options.currency, "timeZone": options.time_zone, "personalApiEnabled": options.personal_api,
        "llmKeyConfigured": false, "createdAt": now, "updatedAt": now,
    });
    let user = options
        .target
        .with_database(async |database| {
            record::insert(&*database.storage, &[user]).await?;
            find_user(database, options.email.as_str()).await
        })
        .await?;
    let text = format!("added the user {}; `user set-password {}` sets the password", user.name, user.email);
    options.target.print(&text, &user)
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
    target.print(&format!("changed the user {}, {}", user.name, user.email), &user)
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
    const HEADER: &'static [&'static str] = &["E-mail and id", "Name", "Password", "Family"];

    fn cells(&self) -> Vec<Vec<String>> {
        let password = if self.has_password { "yes" } else { "no" };
        let family = self.family_id.as_ref().map_or("none", |family| family.as_str());
        let others = [self.name.as_str(), password, family].map(|cell| vec![cell.to_owned()]);
        [vec![self.email.clone(), self.id.to_string()]].into_iter().chain(others).collect()
    }
}

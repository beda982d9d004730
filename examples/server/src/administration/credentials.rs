//! The commands of `key`, `session`, `connection` and `feed`.

use family_api_core::connection::Connection;
use family_api_core::feed::CalendarFeed;
use family_api_core::id::{FeedId, GrantId, Id, KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyMode};
use family_api_core::storage::{Administration, Owned, Selection, StorageError};
use family_api_core::{Clock, SystemClock, Timestamp};
use serde_json::json;

use crate::administration::find_user;
use crate::administration::list::{Entry, PAGE_SIZE, day, print_pages};
use crate::administration::options::{EndSessions, ListCredentials, RevokeCredentials};
use crate::database::Database;
use crate::error::CommandError;

/// Lists keys.
pub(super) async fn list_keys(options: ListCredentials) -> Result<(), CommandError> {
    let now = SystemClock.now();
    list(options, async |storage, user, last: Option<&Owned<IntegrationKey>>| {
        storage.list_active_keys(user, last.map(|key| &key.item.id), PAGE_SIZE, now).await
    })
    .await
}

/// Lists grants.
pub(super) async fn list_grants(options: ListCredentials) -> Result<(), CommandError> {
    let now = SystemClock.now();
    list(options, async |storage, user, last: Option<&Owned<Connection>>| {
        storage.list_live_grants(user, last.map(|grant| &grant.item.id), PAGE_SIZE, now).await
    })
    .await
}

/// Lists calendar feeds.
pub(super) async fn list_feeds(options: ListCredentials) -> Result<(), CommandError> {
    let now = SystemClock.now();
    list(options, async |storage, user, last: Option<&Owned<CalendarFeed>>| {
        storage.list_current_feeds(user, last.map(|feed| &feed.item.id), PAGE_SIZE, now).await
    })
    .await
}

async fn list<T>(
    options: ListCredentials,
    page: impl AsyncFn(&dyn Administration, Option<&UserId>, Option<&Owned<T>>) -> Result<Vec<Owned<T>>, StorageError>,
) -> Result<(), CommandError>
where
    Owned<T>: Entry,
{
    let ListCredentials { user, target } = options;
    let pages = async |database: &Database| {
        let user = user_id(database, user.as_deref()).await?;
        let storage = &*database.storage;
        print_pages(target.json, async |last: Option<&Owned<T>>| page(storage, user.as_ref(), last).await).await
    };
    target.with_database(pages).await
}

/// Revokes keys.
pub(super) async fn revoke_keys(options: RevokeCredentials) -> Result<(), CommandError> {
    revoke::<KeyId>("key", options, async |storage, keys, now| storage.revoke_keys(keys, now).await).await
}

/// Revokes grants.
pub(super) async fn revoke_grants(options: RevokeCredentials) -> Result<(), CommandError> {
    revoke::<GrantId>("connection", options, async |storage, grants, now| storage.revoke_grants(grants, now).await)
        .await
}

/// Revokes calendar feeds.
pub(super) async fn revoke_feeds(options: RevokeCredentials) -> Result<(), CommandError> {
    revoke::<FeedId>("feed", options, async |storage, feeds, now| storage.delete_feeds(feeds, now).await).await
}

async fn revoke<I: Id>(
    kind: &'static str,
    options: RevokeCredentials,
    revoke: impl AsyncFn(&dyn Administration, Selection<'_, I>, Timestamp) -> Result<u64, StorageError>,
) -> Result<(), CommandError> {
    let RevokeCredentials { user, id, all, confirmation, target } = options;
    if all {
        confirmation.ask(&format!("This revokes every {kind} of all users"))?;
    }
    let revoked = target
        .with_database(async |database| {
            let user = user_id(database, user.as_deref()).await?;
            let unknown = |id: &str| CommandError::UnknownCredential { kind, id: id.to_owned() };
            let one: Option<I> = id.as_deref().map(|id| id.parse().map_err(|_| unknown(id))).transpose()?;
            let selection = match (&user, &one) {
                (Some(user), _) => Selection::User(user),
                (None, Some(id)) => Selection::One(id),
                (None, None) => Selection::All,
            };
            let revoked = revoke(&*database.storage, selection, SystemClock.now()).await?;
            match one {
                Some(id) if revoked == 0 => Err(unknown(id.text())),
                _ => Ok(revoked),
            }
        })
        .await?;
    target.print(&format!("revoked {kind}s: {revoked}"), &json!({ "revoked": revoked }))
}

/// Ends sessions.
pub(super) async fn end_sessions(options: EndSessions) -> Result<(), CommandError> {
    let EndSessions { user, all, confirmation, target } = options;
    if all {
        confirmation.ask("This ends the sessions of all users")?;
    }
    let ended = target
        .with_database(async |database| {
            let user = user_id(database, user.as_deref()).await?;
            Ok(database.storage.delete_sessions(user.as_ref()).await?)
        })
        .await?;
    target.print(&format!("ended sessions: {ended}"), &json!({ "ended": ended }))
}

/// Returns the id of the user with an e-mail address, or `None` for all users.
async fn user_id(database: &Database, email: Option<&str>) -> Result<Option<UserId>, CommandError> {
    match email {
        Some(email) => Ok(Some(find_user(database, email).await?.id)),
        None => Ok(None),
    }
}

impl Entry for Owned<IntegrationKey> {
    const HEADER: &'static [&'static str] = &["User and id", "Name", "Mode", "Last used"];

    fn cells(&self) -> Vec<Vec<String>> {
        let key = &self.item;
        let name = key.name.as_deref().unwrap_or_default();
        cells(self, key.id.as_str(), name, mode_name(key.mode), key.last_used_at)
    }
}

impl Entry for Owned<Connection> {
    const HEADER: &'static [&'static str] = &["User and id", "Assistant", "Mode", "Last used"];

    fn cells(&self) -> Vec<Vec<String>> {
        let grant = &self.item;
        let assistant = grant.client.as_deref().unwrap_or(&grant.host);
        cells(self, grant.id.as_str(), assistant, mode_name(grant.mode), grant.last_used_at)
    }
}

impl Entry for Owned<CalendarFeed> {
    const HEADER: &'static [&'static str] = &["User and id", "Name", "Shows", "Last used"];

    fn cells(&self) -> Vec<Vec<String>> {
        let feed = &self.item;
        cells(self, feed.id.as_str(), &feed.settings.name, feed.settings.shows.as_str(), feed.last_used_at)
    }
}

fn mode_name(mode: Option<KeyMode>) -> &'static str {
    mode.map_or("other", KeyMode::as_str)
}

/// Returns the cells of a credential. The id is below the user, because both are long.
fn cells<T>(owned: &Owned<T>, id: &str, name: &str, kind: &str, last_used_at: Option<Timestamp>) -> Vec<Vec<String>> {
    let user = owned.email.as_deref().unwrap_or(owned.user.as_str());
    let last_used = last_used_at.map_or("never".to_owned(), day);
    vec![vec![user.to_owned(), id.to_owned()], vec![name.to_owned()], vec![kind.to_owned()], vec![last_used]]
}

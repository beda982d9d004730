//! The commands of the administration. They work on an existing database, also while the server runs.

mod check;
mod counts;
mod credentials;
mod email;
mod families;
mod first_records;
mod list;
pub(crate) mod options;
mod record;
mod set_password;
mod users;

pub(crate) use record::RefusedRecord;
pub(crate) use set_password::MIN_PASSWORD_LENGTH;

use family_api_core::storage::UserSummary;
use serde_json::json;

use crate::administration::options::{
    AdministrationCommand, ConnectionCommand, FamilyCommand, FeedCommand, KeyCommand, SessionCommand, Target,
    UserCommand,
};
use crate::cli::{Cache, DatabaseOption};
use crate::database::{Database, Missing};
use crate::error::CommandError;
use crate::output;

/// Runs a command of the administration.
pub(crate) async fn run(command: AdministrationCommand) -> Result<(), CommandError> {
    use AdministrationCommand::{Check, Connection, Family, Feed, Key, Session, User};
    match command {
        Family(FamilyCommand::Add(options)) => families::add(options).await,
        Family(FamilyCommand::List(target)) => families::list(target).await,
        Family(FamilyCommand::Remove(options)) => families::remove(options).await,
        User(UserCommand::Add(options)) => users::add(*options).await,
        User(UserCommand::List(options)) => users::list(options).await,
        User(UserCommand::Remove(options)) => users::remove(options).await,
        User(UserCommand::Set(options)) => users::set(options).await,
        User(UserCommand::Rename { .. }) => Err(CommandError::NoRename),
        User(UserCommand::Move(options)) => users::change_family(options).await,
        User(UserCommand::SetPassword(options)) => set_password::run(options).await,
        Key(KeyCommand::List(options)) => credentials::list_keys(options).await,
        Key(KeyCommand::Revoke(options)) => credentials::revoke_keys(options).await,
        Session(SessionCommand::End(options)) => credentials::end_sessions(options).await,
        Connection(ConnectionCommand::List(options)) => credentials::list_grants(options).await,
        Connection(ConnectionCommand::Revoke(options)) => credentials::revoke_grants(options).await,
        Feed(FeedCommand::List(options)) => credentials::list_feeds(options).await,
        Feed(FeedCommand::Revoke(options)) => credentials::revoke_feeds(options).await,
        Check(target) => check::run(target).await,
    }
}

impl Target {
    /// Opens the database, runs a command with it, and closes it.
    async fn with_database<T>(
        &self,
        command: impl AsyncFnOnce(&Database) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let DatabaseOption { url, connections } = &self.database;
        let database = Database::open(url, connections, Cache::Off, Missing::Refuse).await?;
        let outcome = command(&database).await;
        database.close().await;
        outcome
    }

    /// Prints the result of a command: the text, or the value as JSON.
    fn print(&self, text: &str, value: &impl serde::Serialize) -> Result<(), CommandError> {
        if self.json { output::print(&json!(value).to_string()) } else { output::print(&output::printable(text)) }
    }
}

/// Returns the user with an e-mail address.
async fn find_user(database: &Database, email: &str) -> Result<UserSummary, CommandError> {
    let user = database.storage.find_user(email).await?;
    user.ok_or_else(|| CommandError::UnknownUser(email.to_owned()))
}

//! The command line of the administration.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use family_api_core::calendar::{UnknownZone, Zone};
use family_api_core::id::{FamilyId, UserId};

use crate::administration::email::EmailAddress;
use crate::administration::first_records::FirstRecords;
use crate::cli::DatabaseOption;
use crate::confirm::Confirmation;

#[derive(Debug, Subcommand)]
pub(crate) enum AdministrationCommand {
    /// Manages families.
    #[command(subcommand)]
    Family(FamilyCommand),
    /// Manages users.
    #[command(subcommand)]
    User(UserCommand),
    /// Manages integration keys.
    #[command(subcommand, alias = "keys")]
    Key(KeyCommand),
    /// Manages sessions.
    #[command(subcommand)]
    Session(SessionCommand),
    /// Manages the connections of users to assistants.
    #[command(subcommand, aliases = ["connections", "grant"])]
    Connection(ConnectionCommand),
    /// Manages the calendar feeds of users.
    #[command(subcommand, alias = "feeds")]
    Feed(FeedCommand),
    /// Checks a database: its schema, whether it is damaged, how much it contains, and what is unusual.
    ///
    /// The command changes nothing and reads everything, also while the service runs. It does not migrate the schema.
    /// If the database is damaged, or was used by a newer version, it exits with 1. With PostgreSQL, it does not check
    /// the pages: `pg_amcheck` does.
    Check(Target),
}

#[derive(Debug, Subcommand)]
pub(crate) enum FamilyCommand {
    /// Adds a family with a first board and a first shopping list.
    Add(AddFamily),
    /// Lists all families.
    List(Target),
    /// Removes a family with all its records. Its users stay, without a family.
    Remove(RemoveFamily),
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Adds a user, without a password. `user set-password` sets it.
    Add(Box<AddUser>),
    /// Lists the users.
    List(ListUsers),
    /// Removes a user with all credentials and private records.
    ///
    /// The records that other members see stay in the family.
    Remove(RemoveUser),
    /// Changes the name, the e-mail address or the time zone of a user.
    ///
    /// The password, the keys, the connections, the calendar feeds and the sessions of the user stay valid.
    Set(SetUser),
    /// Says how to change the name. Without this command, the suggestion would be `remove`.
    #[command(hide = true)]
    Rename {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Moves a user to another family, or out of the family.
    ///
    /// Private records stay in the old family, where no user can see them until the user returns. The keys,
    /// connections, calendar feeds and sessions of the user stay valid, for the new family.
    Move(MoveUser),
    /// Sets a user's password, and ends the user's sessions.
    ///
    /// In a terminal, the command prompts for the password twice and does not show it. Otherwise, or with `--stdin`, it
    /// reads the password from the first line of standard input. A password has at least 10 characters.
    SetPassword(SetPassword),
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Lists the keys that are neither revoked nor expired.
    List(ListCredentials),
    /// Revokes keys, at once on all nodes.
    Revoke(RevokeCredentials),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Ends sessions: the users must sign in again.
    End(EndSessions),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConnectionCommand {
    /// Lists the connections of users to assistants.
    List(ListCredentials),
    /// Revokes connections, at once on all nodes.
    Revoke(RevokeCredentials),
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {
    /// Lists the calendar feeds that have not expired.
    List(ListCredentials),
    /// Revokes calendar feeds: their addresses are unknown at once on all nodes.
    Revoke(RevokeCredentials),
}

/// The database, and the format of the output.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// Prints JSON. A list has one object on each line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
}

#[derive(Debug, Args)]
pub(crate) struct AddFamily {
    /// Display name.
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: String,
    /// Id of the family: 1 to 64 of A-Z a-z 0-9 _ -. Default: a new unique id.
    #[arg(long)]
    pub(crate) id: Option<FamilyId>,
    #[command(flatten)]
    pub(crate) first_records: FirstRecords,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct AddUser {
    /// E-mail address, for the sign-in. It is stored in lower case.
    pub(crate) email: EmailAddress,
    /// Display name.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) membership: Membership,
    /// IANA time zone, such as `Europe/Madrid`. It decides when the days of the user begin. Default: the zone of the
    /// family's first member, or else of this machine.
    #[arg(long, value_name = "ZONE")]
    pub(crate) time_zone: Option<String>,
    /// ISO 4217 code of the currency in which the user sees amounts.
    #[arg(long, value_name = "CODE", default_value = "EUR")]
    pub(crate) currency: String,
    /// Display colour, such as `#8b5cf6`.
    #[arg(long)]
    pub(crate) color: Option<String>,
    /// Display emoji.
    #[arg(long)]
    pub(crate) emoji: Option<String>,
    /// Switches the personal API on. Otherwise the user switches it on at `/keys`.
    #[arg(long)]
    pub(crate) personal_api: bool,
    /// Id of the user: 1 to 64 of A-Z a-z 0-9 _ -. Default: a new unique id.
    #[arg(long)]
    pub(crate) id: Option<UserId>,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true, args = ["name", "new_email", "time_zone"])]
pub(crate) struct SetUser {
    /// E-mail address of the user.
    pub(crate) email: String,
    /// New display name.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,
    /// New e-mail address, for the sign-in. It is stored in lower case.
    #[arg(long = "email", id = "new_email", value_name = "EMAIL")]
    pub(crate) new_email: Option<EmailAddress>,
    /// New IANA time zone, such as `Europe/Madrid`. It decides when the days of the user begin.
    #[arg(long, value_name = "ZONE", value_parser = time_zone)]
    pub(crate) time_zone: Option<Zone>,
    #[command(flatten)]
    pub(crate) target: Target,
}

fn time_zone(text: &str) -> Result<Zone, UnknownZone> {
    Zone::try_from(text.to_owned())
}

/// The family of a user.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Membership {
    /// Id of the user's family.
    #[arg(long, value_name = "ID")]
    pub(crate) family: Option<FamilyId>,
    /// The user has no family.
    #[arg(long)]
    no_family: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListUsers {
    /// Lists only the users of the family with this id.
    #[arg(long, value_name = "ID")]
    pub(crate) family: Option<FamilyId>,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct SetPassword {
    /// E-mail address of the user.
    pub(crate) email: String,
    /// Reads the password from the first line of standard input, also in a terminal.
    #[arg(long)]
    pub(crate) stdin: bool,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveFamily {
    /// Id of the family.
    pub(crate) id: FamilyId,
    #[command(flatten)]
    pub(crate) confirmation: Confirmation,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveUser {
    /// E-mail address of the user.
    pub(crate) email: String,
    #[command(flatten)]
    pub(crate) confirmation: Confirmation,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct MoveUser {
    /// E-mail address of the user.
    pub(crate) email: String,
    #[command(flatten)]
    pub(crate) membership: Membership,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct ListCredentials {
    /// Lists only those of the user with this e-mail address.
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: Option<String>,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false, args = ["user", "id", "all"])]
pub(crate) struct RevokeCredentials {
    /// Revokes all of the user with this e-mail address.
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: Option<String>,
    /// Revokes the one with this id.
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// Revokes those of all users.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) confirmation: Confirmation,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false, args = ["user", "all"])]
pub(crate) struct EndSessions {
    /// Ends the sessions of the user with this e-mail address.
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: Option<String>,
    /// Ends the sessions of all users.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) confirmation: Confirmation,
    #[command(flatten)]
    pub(crate) target: Target,
}

//! The command line: what can be asked of the server, and its settings.

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use family_api_salvo::Origin;

use crate::log::LogFormat;

/// The standalone server of family-api.
#[derive(Debug, Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serves a database.
    ///
    /// `SERVICE_MCP_READ_TOKENS` may hold tokens that open the read path, as comma-separated `<user_id>|<SECRET>`.
    Serve(ServeOptions),
    /// Serves two families from a throw-away database, and prints how to try it.
    Demo(DemoOptions),
    /// Loads JSON Lines into a database, all or nothing.
    ///
    /// The first 8 MiB are read and checked before the database is locked. While an import writes to SQLite, other
    /// writes wait for up to 2 seconds and are then refused (503): sign-ins, changes, new and revoked keys. Reads go on.
    /// Import large files before the service starts, or in parts of up to 8 MiB.
    Import(ImportOptions),
    /// Manages users.
    #[command(subcommand)]
    User(UserCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Sets a password, and ends the user's sessions.
    ///
    /// At a terminal, it asks for the password twice and does not show it; otherwise the password is the first line of
    /// standard input.
    SetPassword(SetPasswordOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ServeOptions {
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
    #[command(flatten)]
    pub(crate) http: HttpOptions,
}

#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// Where to put the two families instead, for good: a database of the demo's own, for their passwords are public.
    // No variable: what is set for `serve` may be somebody's real database.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) connections: ConnectionsOption,
    #[command(flatten)]
    pub(crate) http: HttpOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// The file; `-` is standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
}

#[derive(Debug, Args)]
pub(crate) struct SetPasswordOptions {
    /// Whose password.
    pub(crate) email: String,
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
}

#[derive(Debug, Args)]
pub(crate) struct DatabaseOption {
    /// Where the data is: `sqlite:PATH`, created when missing, or `postgres://USER:PASSWORD@HOST/DATABASE`.
    #[arg(id = "database", long = "database", env = "DATABASE_URL", hide_env_values = true)]
    #[arg(value_name = "URL", default_value = "sqlite:family.db")]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) connections: ConnectionsOption,
}

#[derive(Debug, Args)]
pub(crate) struct ConnectionsOption {
    /// How many connections at most: with PostgreSQL 10 unless it is set, beside one for keys where it is more than 1;
    /// with SQLite 4 that read, beside one for keys and one for writes.
    #[arg(id = "connections", long = "connections", env = "FAMILY_API_CONNECTIONS", value_name = "N")]
    pub(crate) most: Option<NonZeroU16>,
}

#[derive(Debug, Args)]
pub(crate) struct HttpOptions {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, env = "FAMILY_API_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// The address that browsers know the server by, if it is another: `https` makes the session cookie `Secure`.
    #[arg(long, env = "FAMILY_API_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<Origin>,
    /// An origin whose pages may call the API with a token, such as `https://board.example`; may be given again.
    #[arg(long = "cors-origin", value_name = "ORIGIN")]
    pub(crate) cors_origins: Vec<Origin>,
    /// How many requests a minute each key may make, or `off`, which also lifts the limit of writes in a session.
    #[arg(long, value_name = "N|off", default_value = "300")]
    pub(crate) rate_limit: RateLimit,
    /// How many requests may be at work at once; others are asked to come again later.
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) max_in_flight: NonZeroUsize,
    /// How much memory answers may take that clients have not read, in MiB; beyond it, large answers are refused for now.
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) max_unread: NonZeroU16,
    /// How many connections may be open at once; others wait.
    #[arg(long, value_name = "N", default_value = "2048")]
    pub(crate) max_connections: NonZeroUsize,
    /// How much memory documents may take that were made already, in MiB, or `off`.
    #[arg(long, value_name = "N|off", default_value = "64")]
    pub(crate) cache: Cache,
    /// How to write the log, on standard error; `FAMILY_API_LOG` filters it.
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log: LogFormat,
}

/// What is kept of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cache {
    MiB(NonZeroU32),
    /// Everything is read from the database.
    Off,
}

impl FromStr for Cache {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        number_or_off(text).map(|number| number.map_or(Self::Off, Self::MiB))
    }
}

/// How many requests a minute each key may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateLimit {
    PerMinute(NonZeroU32),
    /// As many as it likes.
    Off,
}

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerMinute(number) => number.fmt(f),
            Self::Off => f.write_str("off"),
        }
    }
}

impl FromStr for RateLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        number_or_off(text).map(|number| number.map_or(Self::Off, Self::PerMinute))
    }
}

fn number_or_off(text: &str) -> Result<Option<NonZeroU32>, &'static str> {
    match text {
        "off" => Ok(None),
        number => number.parse().map(Some).map_err(|_| "expected a number from 1, or `off`"),
    }
}

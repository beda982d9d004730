//! The command line: commands and options.

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use family_api_core::id::FamilyId;
use family_api_salvo::{Origin, ProxyNetwork};

use crate::administration::options::{AdministrationCommand, Target};
use crate::confirm::Confirmation;
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
    /// Serves the API from a database.
    ///
    /// The environment variable `SERVICE_MCP_READ_TOKENS` can contain tokens for the read path `/api/mcp/read`:
    /// comma-separated entries of the form `<user_id>|<SECRET>`.
    Serve(ServeOptions),
    /// Serves two sample families from a temporary database, and prints commands to try.
    Demo(DemoOptions),
    /// Imports a JSON Lines file into a database, or updates its records, in one transaction.
    ///
    /// The first 8 MiB are read and checked before the database is locked. While an import writes to SQLite, other
    /// writes wait for up to 2 seconds and then get 503: sign-ins, changes, new and revoked keys. Reads continue.
    /// Import large files before the service starts, or in parts of up to 8 MiB.
    Import(ImportOptions),
    /// Writes all records of a database, or of one family, as a JSON Lines file that `import` reads.
    ///
    /// The records are those of one instant, also while the service runs. Keys are written as their hashes. Sessions,
    /// connections of assistants, deleted records and the last uses of keys are not written.
    Export(ExportOptions),
    /// Writes a complete copy of the database to a file, also while the service runs.
    ///
    /// The copy replaces the file atomically. Only its owner can read it. With PostgreSQL, the command prints which
    /// program makes a backup.
    Backup(BackupOptions),
    /// Replaces the database by a backup. Stop the service first.
    ///
    /// All keys are revoked, and all sessions, calendar feeds and connections of assistants end, because the backup
    /// contains those that ended after it was made. With PostgreSQL, the command prints which program restores a
    /// backup.
    Restore(RestoreOptions),
    #[command(flatten)]
    Administration(AdministrationCommand),
    /// Checks that a server runs, for a supervisor such as a container engine. If it does not answer, exits with 1.
    Health(HealthOptions),
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
    /// Keeps the sample families in this database. Use a separate database: the families' passwords are public.
    // This option does not read `DATABASE_URL`, because the variable can name the real database of `serve`.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) connections: ConnectionsOption,
    #[command(flatten)]
    pub(crate) http: HttpOptions,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is an option of the command")]
pub(crate) struct ImportOptions {
    /// The file to import; `-` reads standard input.
    #[arg(required_unless_present = "example", conflicts_with = "example")]
    pub(crate) file: Option<PathBuf>,
    /// Only prints a small valid file, as a template.
    #[arg(long)]
    pub(crate) example: bool,
    /// Changes the records whose ids exist already. Otherwise the import is refused.
    #[arg(long, conflicts_with = "example")]
    pub(crate) update: bool,
    /// Also deletes what the file's families have and the file does not: records, and users with their credentials.
    ///
    /// The deleted records cannot be restored. Keys of other users stay. The file must then contain the parents of all
    /// its records.
    #[arg(long, requires = "update")]
    pub(crate) delete_missing: bool,
    /// Prints what the update would change, and changes nothing.
    #[arg(long, requires = "update")]
    pub(crate) dry_run: bool,
    /// Writes the result as metrics to this file, for the textfile collector of Prometheus' `node_exporter`. The name
    /// ends in `.prom`. A dry run does not write the file.
    #[arg(long, value_name = "FILE", value_parser = metrics_file, conflicts_with = "example")]
    pub(crate) metrics_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) confirmation: Confirmation,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Args)]
pub(crate) struct ExportOptions {
    /// The file to write, which only its owner can read; `-` writes to standard output. A file that exists is replaced,
    /// a pipe is written to.
    pub(crate) file: PathBuf,
    /// Writes only the family with this id, its users and their keys.
    #[arg(long, value_name = "ID")]
    pub(crate) family: Option<FamilyId>,
    /// Also writes the hashes of passwords.
    #[arg(long)]
    pub(crate) passwords: bool,
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
}

#[derive(Debug, Args)]
pub(crate) struct BackupOptions {
    /// The file to write. A file that exists is replaced.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreOptions {
    /// The backup.
    #[arg(required_unless_present = "invalidate", conflicts_with = "invalidate")]
    pub(crate) file: Option<PathBuf>,
    /// Only revokes all keys and ends all sessions, connections and calendar feeds, after a backup was restored by
    /// another program.
    #[arg(long)]
    pub(crate) invalidate: bool,
    #[command(flatten)]
    pub(crate) confirmation: Confirmation,
    #[command(flatten)]
    pub(crate) database: DatabaseOption,
}

#[derive(Debug, Args)]
pub(crate) struct HealthOptions {
    /// The address on which the server listens.
    #[arg(long, env = "FAMILY_API_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// Checks that the database answers too.
    #[arg(long)]
    pub(crate) ready: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DatabaseOption {
    /// Path or URL of the database: `PATH`, `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`. `serve` and
    /// `import` create a missing SQLite file and missing tables.
    #[arg(id = "database", long = "database", env = "DATABASE_URL", hide_env_values = true)]
    #[arg(value_name = "URL", default_value = "sqlite:family.db")]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) connections: ConnectionsOption,
}

#[derive(Debug, Args)]
pub(crate) struct ConnectionsOption {
    /// Maximum number of database connections. PostgreSQL: default 10. If N is more than 1, one further connection
    /// looks up keys. SQLite: N connections read (default 4), one further connection looks up keys, and another one
    /// writes.
    #[arg(id = "connections", long = "connections", env = "FAMILY_API_CONNECTIONS", value_name = "N")]
    pub(crate) max: Option<NonZeroU16>,
}

#[derive(Debug, Args)]
pub(crate) struct HttpOptions {
    /// Address to listen on; with port 0, the system chooses a free port.
    #[arg(long, env = "FAMILY_API_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// URL that browsers use, if it is not the address of `--listen`. With `https`, the session cookie is `Secure`.
    #[arg(long, env = "FAMILY_API_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<Origin>,
    /// Address or network of a proxy whose `Forwarded` or `X-Forwarded-*` headers are believed, such as `127.0.0.1` or
    /// `10.0.0.0/8`; repeatable. The variable contains a comma-separated list.
    #[arg(long = "trusted-proxy", env = "FAMILY_API_TRUSTED_PROXIES", value_name = "CIDR", value_delimiter = ',')]
    pub(crate) trusted_proxies: Vec<ProxyNetwork>,
    /// Whether assistants can connect without a key (OAuth). `auto`: if `--public-url` is an `https` URL, or the server
    /// listens on a loopback address without `--public-url`. With `off`, connections that exist stop working.
    #[arg(long, env = "FAMILY_API_OAUTH", value_enum, value_name = "auto|off", default_value_t = OAuthOption::Auto)]
    pub(crate) oauth: OAuthOption,
    /// Origin whose pages can call the API with a token (CORS), such as `https://board.example`; repeatable.
    #[arg(long = "cors-origin", value_name = "ORIGIN")]
    pub(crate) cors_origins: Vec<Origin>,
    /// Maximum requests per minute for each key. `off` also removes the limits on invalid tokens and session writes.
    #[arg(long, value_name = "N|off", default_value = "300")]
    pub(crate) rate_limit: RateLimit,
    /// Maximum number of API requests in progress; further requests get 503 with `Retry-After`.
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) max_in_flight: NonZeroUsize,
    /// Maximum memory for responses that clients have not read yet, in MiB; beyond it, large reads and changes get 503.
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) max_unread: NonZeroU16,
    /// Maximum number of open client connections; further clients wait.
    #[arg(long, value_name = "N", default_value = "2048")]
    pub(crate) max_connections: NonZeroUsize,
    /// Size of the cache of generated JSON documents, in MiB, or `off`.
    #[arg(long, value_name = "N|off", default_value = "64")]
    pub(crate) cache: Cache,
    /// Whether audit lines of sign-ins and refused tokens contain the client's network address.
    #[arg(long, env = "FAMILY_API_AUDIT_ADDRESSES", value_enum, value_name = "on|off")]
    #[arg(default_value_t = AuditAddresses::On)]
    pub(crate) audit_addresses: AuditAddresses,
    /// Address of a separate listener for `GET /metrics`, in Prometheus' text format. Its answers need no key, so use
    /// an address that only Prometheus reaches. Default: none.
    #[arg(long, env = "FAMILY_API_METRICS", value_name = "ADDRESS")]
    pub(crate) metrics: Option<String>,
    /// Log format. The log goes to standard error; `FAMILY_API_LOG` filters it, as in `info,family_api_server=debug`.
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log: LogFormat,
}

/// Whether assistants can connect without a key, set by `--oauth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OAuthOption {
    Auto,
    Off,
}

/// Whether the audit contains network addresses, set by `--audit-addresses`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditAddresses {
    On,
    Off,
}

/// Size of the document cache, set by `--cache`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cache {
    MiB(NonZeroU32),
    /// Neither documents nor keys are cached: each request reads from the database.
    Off,
}

impl FromStr for Cache {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        number_or_off(text).map(|number| number.map_or(Self::Off, Self::MiB))
    }
}

/// Requests per minute for each key, set by `--rate-limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateLimit {
    PerMinute(NonZeroU32),
    /// No limit.
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

/// Refuses a name that does not end in `.prom`, because the file is replaced. It could be the database.
fn metrics_file(text: &str) -> Result<PathBuf, &'static str> {
    let file = PathBuf::from(text);
    let is_named = file.extension().is_some_and(|extension| extension == "prom");
    if is_named { Ok(file) } else { Err("expected a name that ends in `.prom`") }
}

fn number_or_off(text: &str) -> Result<Option<NonZeroU32>, &'static str> {
    match text {
        "off" => Ok(None),
        number => number.parse().map(Some).map_err(|_| "expected a number of at least 1, or `off`"),
    }
}

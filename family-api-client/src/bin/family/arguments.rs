//! The command line: what can be asked for, and where.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::api::ApiArguments;
use crate::commands::keys::KeysArguments;
use crate::commands::note::NoteCommand;
use crate::commands::read::{EventsArguments, ReadArguments};
use crate::commands::task::TaskCommand;

const AFTER_HELP: &str = "\
Environment:
  FAMILY_API_TOKEN       The key
  FAMILY_API_TOKEN_FILE  A file with the key
  FAMILY_API_COOKIE      A session cookie, name=value, for `keys` and `api`
  TZ                     The time zone of tables with --read-path; otherwise it is that of the user's profile

The key is looked for in --token-file, FAMILY_API_TOKEN, FAMILY_API_TOKEN_FILE and ~/.config/family/token, and it is the
first that is there; no option takes the key itself, since other users of the machine see those.

Exit codes:
  0  It is done
  1  Anything else failed
  2  Usage: arguments, settings, or values that the service refuses
  3  Authentication: no key, or one that does not open this
  4  There is no such thing
  5  The service or the network: not reached, too late, overloaded, broken or not understood; also a write
     that may have taken effect
  6  The record is at another version than --if-match names, and nothing was done";

/// A family's tasks, events, shopping lists and notes.
#[derive(Debug, Parser)]
#[command(name = "family", version, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Write what the API answers as one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) service: ServiceOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where the API is, and with which key.
#[derive(Debug, Args)]
#[command(next_help_heading = "Service")]
pub(crate) struct ServiceOptions {
    /// The address of the API, without `/api`
    #[arg(long, global = true, env = "FAMILY_API_URL", hide_env_values = true)]
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
    /// Let secrets travel unencrypted to another machine: anybody on the way reads them
    #[arg(long, global = true)]
    pub(crate) allow_plain_http: bool,
    /// A file with the key that nobody but its owner can read
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show whose key it is
    Me,
    /// Read a resource
    Read(ReadArguments),
    /// Read events, as `read events` does
    Events(EventsArguments),
    /// Change a task
    #[command(subcommand)]
    Task(TaskCommand),
    /// Show or delete a note
    #[command(subcommand)]
    Note(NoteCommand),
    /// Manage integration keys, in a session
    Keys(KeysArguments),
    /// Switch the personal API on or off, in a session: off, keys open the read path only
    Api(ApiArguments),
}

//! The command line arguments.

use clap::{Parser, Subcommand};
use family_api_client::resource::{Board, Column, NoteCategory, ShoppingList};

use crate::commands::account::{AccessCommand, ApiArguments, ConnectionsCommand, DeletedArguments};
use crate::commands::changes::ChangesArguments;
use crate::commands::container::ContainerCommand;
use crate::commands::doctor::DoctorArguments;
use crate::commands::event::EventCommand;
use crate::commands::feeds::FeedsCommand;
use crate::commands::keys::KeysCommand;
use crate::commands::mcp_config::McpConfigArguments;
use crate::commands::note::NoteCommand;
use crate::commands::overview::OverviewArguments;
use crate::commands::read::{Days, Filter, PathOption, ReadArguments};
use crate::commands::shopping::ShoppingArguments;
use crate::commands::task::TaskCommand;
use crate::context::ServiceOptions;
use crate::session::InSession;

const AFTER_HELP: &str = "\
Environment:
  FAMILY_API_TOKEN       The key
  FAMILY_API_TOKEN_FILE  A file that contains the key
  FAMILY_API_COOKIE      A session cookie, name=value, for `board`, `column`, `list`, `category`,
                         `deleted`, `key`, `connection`, `feed`, `access` and `api`
  SSL_CERT_FILE          A PEM file with the certificates of the authorities that are trusted instead of
                         those of the system: for a server with a certificate of your own authority
  TZ                     The time zone of the times in tables with --read-path. Default: the time zone of
                         this machine. These times show their offset. Without --read-path, tables use
                         the time zone of the profile.

The command takes the key from the first of these that is set: --token-file, FAMILY_API_TOKEN,
FAMILY_API_TOKEN_FILE, ~/.config/family/token. No option takes the key itself, because other users of
the machine can read the arguments of a process.

Exit codes:
  0  Success
  1  A failure that is not listed below
  2  Usage error: invalid arguments or settings, or values that the service rejects
  3  Authentication error: no key or session, or the key or session does not permit the command
  4  The record was not found
  5  Service or network error: no connection, timeout, overload, server error, or unexpected response.
     Also a write that failed but may have taken effect
  6  The record is at another version than --if-match requires, and nothing was changed";

/// Read and write a family's tasks, events, shopping lists and notes
#[derive(Debug, Parser)]
#[command(name = "family", version, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Print the API's response as one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) service: ServiceOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the profile of the key's user
    Me,
    /// List the members of the family
    Members,
    /// Show today and the next days: open tasks, events, and what is on the boards and shopping lists
    Overview(OverviewArguments),
    /// Show what has changed since a state, or the current state
    #[command(after_help = "\
To follow the changes, take the state, read everything, and then ask again and again with the last state:
  family changes
  family changes --since 3mJr…
If the changes since the state are no longer known, start again.")]
    Changes(ChangesArguments),
    /// Read a resource
    Read(ReadArguments),
    /// Read tasks (short for `read tasks`)
    Tasks {
        #[command(flatten)]
        path: PathOption,
        #[command(flatten)]
        filter: Filter,
    },
    /// Read events (short for `read events`)
    Events {
        #[command(flatten)]
        path: PathOption,
        #[command(flatten)]
        days: Days,
    },
    /// Read the shopping lists, or add, check, change and delete items
    #[command(after_help = "Example: family shopping add milk \"bread x2\"")]
    Shopping(ShoppingArguments),
    /// Read notes (short for `read notes`)
    Notes(PathOption),
    /// Add, change, delete or restore a task
    #[command(subcommand)]
    Task(TaskCommand),
    /// Add, change, delete or restore an event
    #[command(subcommand)]
    Event(EventCommand),
    /// Add, show, change, delete or restore a note
    #[command(subcommand)]
    Note(NoteCommand),
    /// Add, rename, order or delete a board of tasks
    #[command(after_help = "\
Examples:
  family board add Home --column \"To do\" --column Doing --column Done
  family board rename Home House")]
    Board(InSession<ContainerCommand<Board>>),
    /// Add, rename, order or delete a column of a board
    #[command(after_help = "\
Examples:
  family column add \"To do\" --board Home
  family column delete \"To do\"")]
    Column(InSession<ContainerCommand<Column>>),
    /// Add, rename, order or delete a shopping list
    #[command(after_help = "\
Examples:
  family list add Groceries
  family list rename Groceries \"Weekly shop\"")]
    List(InSession<ContainerCommand<ShoppingList>>),
    /// Add, rename or delete a category of notes
    #[command(after_help = "\
Examples:
  family category add Recipes
  family category delete 0197…")]
    Category(InSession<ContainerCommand<NoteCategory>>),
    /// List the deleted tasks, notes, events and items that can be restored (needs a session)
    Deleted(DeletedArguments),
    /// Manage integration keys (needs a session)
    #[command(name = "key", alias = "keys")]
    Keys(InSession<KeysCommand>),
    /// Manage the assistants that are connected without a key (needs a session)
    #[command(name = "connection", alias = "connections")]
    Connections(InSession<ConnectionsCommand>),
    /// Manage calendar feeds: addresses that a calendar program reads (needs a session)
    #[command(name = "feed", alias = "feeds")]
    Feeds(InSession<FeedsCommand>),
    /// Stop everything that can act for you: all keys, all connections and the personal API (needs a session)
    Access(InSession<AccessCommand>),
    /// Print the block that connects an assistant to the service. The block contains the key
    McpConfig(McpConfigArguments),
    /// Turn the personal API on or off (needs a session). If it is off, keys can use only the read path
    Api(ApiArguments),
    /// Check from outside whether assistants can reach the service, or calendar programs a feed. Sends no key
    Doctor(DoctorArguments),
}

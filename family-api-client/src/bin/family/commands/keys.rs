//! `family key …`

use std::fs::{self, File};
use std::io::{self, Write};

use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum};
use family_api_client::change::DateOrInstant;
use family_api_client::id::KeyId;
use family_api_client::key::{CreatedKey, KeyDraft, KeyMode};
use family_api_client::{Clock, Error, SessionClient, SystemClock, Timestamp};
use jiff::SignedDuration;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::times::Times;
use crate::when::parse_when;
use crate::{json, messages, token};

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Create a key and print it to standard output, or save it. The key is shown only once
    #[command(after_help = "Example: family key create --mode v1_full --save --email ana@family.example")]
    Create(CreateArguments),
    /// List the active keys, newest first
    List,
    /// Revoke a key. The service then refuses the key
    Revoke {
        /// The key's id, as listed by `family key list`
        #[arg(allow_hyphen_values = true)]
        id: KeyId,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CreateArguments {
    /// What the key permits
    #[arg(long)]
    mode: Mode,
    /// The key's name
    #[arg(long)]
    name: Option<String>,
    /// Save the key in ~/.config/family/token, in which `family` finds it, and do not print it. Only its owner can read
    /// the new file. A file that exists is not overwritten, because its key may still be valid
    #[arg(long)]
    save: bool,
    /// When the key expires: YYYY-MM-DD for the start of that day in your time zone, YYYY-MM-DDTHH:MM, an RFC 3339 time,
    /// or `never`. Default: in 90 days
    #[arg(long, value_name = "WHEN", value_parser = parse_expiry)]
    expires: Option<Expiry>,
}

/// How long a key is valid without `--expires`, as on the page of keys.
const DEFAULT_VALIDITY: SignedDuration = SignedDuration::from_hours(90 * 24);

/// When a key expires.
#[derive(Debug, Clone, Copy)]
enum Expiry {
    At(DateOrInstant),
    Never,
}

fn parse_expiry(text: &str) -> Result<Expiry, &'static str> {
    if text == "never" {
        return Ok(Expiry::Never);
    }
    parse_when(text).map(Expiry::At).map_err(|_| "expected YYYY-MM-DD, YYYY-MM-DDTHH:MM, an RFC 3339 time or `never`")
}

/// A key's mode, with the name that it has in the API, such as `v1_read`.
#[derive(Debug, Clone, Copy)]
struct Mode(KeyMode);

impl ValueEnum for Mode {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(KeyMode::McpRead), Self(KeyMode::V1Read), Self(KeyMode::V1ReadWrite), Self(KeyMode::V1Full)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            KeyMode::McpRead => "Reads with --read-path, even if the personal API is off",
            KeyMode::V1Read => "All reads",
            KeyMode::V1ReadWrite => "All reads, changes of tasks, and changes and deletions of notes",
            KeyMode::V1Full => "All reads, and all writes. The server must allow it",
        };
        Some(PossibleValue::new(self.0.as_str()).help(help))
    }
}

pub(crate) fn run(context: &Context, session: &SessionClient, command: &KeysCommand) -> Result<(), Failure> {
    let profile = Some(session.profile().get());
    match command {
        KeysCommand::Create(arguments) => create(context, session, arguments),
        KeysCommand::List => context.output.print_response(session.keys().list(), profile),
        KeysCommand::Revoke { id } => context.output.print_response(session.keys().revoke(id), profile),
    }
}

fn create(context: &Context, session: &SessionClient, arguments: &CreateArguments) -> Result<(), Failure> {
    let draft = KeyDraft::new(arguments.mode.0);
    let draft = arguments.name.iter().fold(draft, KeyDraft::name);
    let draft = match arguments.expires {
        None => draft.expires_at(SystemClock.now().saturating_add(DEFAULT_VALIDITY)),
        Some(Expiry::Never) => draft,
        Some(Expiry::At(when)) => draft.expires_at(instant(session, when)?),
    };
    let file = if arguments.save { Some(token::create_default_file()?) } else { None };
    let created = create_and_write(context, session, draft, file.as_ref().map(|(_, file)| file));
    let key = created.inspect_err(|_| {
        if let Some((path, _)) = &file {
            // If the file cannot be removed, the next command says that it is empty.
            let _ = fs::remove_file(path);
        }
    })?;
    if file.is_some() || context.output == Output::Table {
        let mut lines = vec![creation_message(&key, &Times::from_profile(session.profile().get()))];
        lines.extend(file.map(|(path, _)| format!("saved the key in {}", path.display())));
        messages::print_messages(&lines);
    }
    Ok(())
}

/// Returns the instant of a time. Sends the call for the profile only if its time zone is needed.
fn instant(session: &SessionClient, time: DateOrInstant) -> Result<Timestamp, Failure> {
    match time {
        DateOrInstant::At(at, _) => Ok(at),
        DateOrInstant::Local(_) | DateOrInstant::On(_) => Ok(time.in_zone(&session.profile().get().wait()?.time_zone)),
    }
}

/// Creates a key and writes it to the file, or prints it if there is no file.
fn create_and_write(
    context: &Context,
    session: &SessionClient,
    draft: KeyDraft,
    file: Option<&File>,
) -> Result<CreatedKey, Failure> {
    let key = session.keys().create(draft).wait().inspect_err(warn_if_in_doubt)?;
    let written = match (file, context.output) {
        (Some(file), _) => write_key(file, key.token.expose()),
        (None, Output::Json) => json::document(&key).and_then(|document| output::print_line(&document)),
        (None, Output::Table) => output::print_line(key.token.expose()),
    };
    match written {
        Ok(()) => Ok(key),
        Err(source) => Err(Failure::LostKey { id: key.id.to_string(), source }),
    }
}

fn write_key(mut file: &File, key: &str) -> io::Result<()> {
    writeln!(file, "{key}")?;
    file.sync_all()
}

/// Prints a warning if the call failed but the service may have created the key.
fn warn_if_in_doubt(error: &Error) {
    if error.is_in_doubt() {
        messages::print_messages(&["a key may have been created: check with `family key list`"]);
    }
}

/// Returns the message for standard error, so that standard output contains only the plaintext of the key.
fn creation_message(key: &CreatedKey, times: &Times) -> String {
    let mode = key.mode.map(KeyMode::as_str).unwrap_or_default();
    let expires = key.expires_at.map_or("never".to_owned(), |at| times.date_and_time(at));
    format!("created the key {} ({mode}, expires: {expires}); it is shown only once", key.id)
}

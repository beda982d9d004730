//! `family note …`

use std::io::{self, Read};

use clap::{Args, Subcommand};
use family_api_client::FamilyClient;
use family_api_client::change::NoteChange;
use family_api_client::id::NoteId;

use crate::commands::read::PathOption;
use crate::commands::record::{RecordId, Records, Target};
use crate::context::Context;
use crate::failure::Failure;

/// The maximum size of a note from standard input in bytes. The service accepts fewer.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Subcommand)]
pub(crate) enum NoteCommand {
    /// Add a note
    #[command(after_help = "\
Examples:
  family note add \"Wi-Fi\" --content \"The password is on the fridge\"
  family note add \"Packing list\" --content - < packing.txt")]
    Add {
        /// The title
        title: String,
        #[command(flatten)]
        content: Content,
    },
    /// Change a note
    #[command(after_help = "Example: family note change 0197… --content - < packing.txt")]
    Change {
        #[command(flatten)]
        target: Target<NoteId>,
        /// The title
        #[arg(long)]
        title: Option<String>,
        #[command(flatten)]
        content: Content,
    },
    /// Show a note with its full content
    Show {
        #[command(flatten)]
        record: RecordId<NoteId>,
        #[command(flatten)]
        path: PathOption,
    },
    /// Show a note with its entity tag for `--if-match`. Needs a key that can write
    Etag(RecordId<NoteId>),
    /// Delete a note. It can be restored for 30 days
    #[command(visible_alias = "rm", after_help = "Example: family note delete 0197…")]
    Delete(Target<NoteId>),
    /// Restore a deleted note
    #[command(after_help = "Example: family note restore 0197…")]
    Restore(RecordId<NoteId>),
}

#[derive(Debug, Args)]
pub(crate) struct Content {
    /// The text. `-` reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
}

impl Content {
    fn apply(&self, change: NoteChange) -> Result<NoteChange, Failure> {
        Ok(match self.content.as_deref() {
            None => change,
            Some("-") => change.content(read_input()?),
            Some(text) => change.content(text),
        })
    }
}

pub(crate) fn run(context: &Context, command: &NoteCommand) -> Result<(), Failure> {
    let notes = || Records::new(context, FamilyClient::notes);
    match command {
        NoteCommand::Add { title, content } => {
            let note = content.apply(NoteChange::new().title(title))?;
            let notes = notes()?;
            notes.print(notes.api.create(note))
        }
        NoteCommand::Change { target, title, content } => {
            notes()?.update(target, content.apply(title.iter().fold(NoteChange::new(), NoteChange::title))?)
        }
        NoteCommand::Show { record, path } => show(context, &record.id, path),
        NoteCommand::Etag(record) => notes()?.print_etag(record),
        NoteCommand::Delete(target) => notes()?.delete(target),
        NoteCommand::Restore(record) => notes()?.restore(record),
    }
}

/// Reads all notes, because the API cannot return a single note.
fn show(context: &Context, id: &NoteId, path: &PathOption) -> Result<(), Failure> {
    let client = context.client_over(path.surface())?;
    let note = client.read().notes().wait()?.into_iter().find(|note| note.id == *id);
    let note = note.ok_or_else(|| Failure::NotFound("the note was not found".to_owned()))?;
    context.output.print_record(&note, path.profile(&client))
}

fn read_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(MAX_BYTES + 1).read_to_string(&mut text);
    match read {
        Ok(bytes) if bytes as u64 > MAX_BYTES => Err(Failure::Usage("the note is longer than 1 MiB".to_owned())),
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::Usage(format!("cannot read the note from standard input: {error}"))),
    }
}

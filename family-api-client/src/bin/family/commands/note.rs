//! `family note …`

use std::io::{self, Read};

use clap::{Args, Subcommand, ValueEnum};
use family_api_client::api::ReadApi;
use family_api_client::change::NoteChange;
use family_api_client::id::NoteId;
use family_api_client::resource::{Note, NoteCategory};
use family_api_client::{Error, FamilyClient};

use crate::commands::read::PathOption;
use crate::commands::record::{RecordId, RecordName, Records, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{self, Nameable, Named};

/// The maximum size of a note from standard input in bytes. The service accepts fewer.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Subcommand)]
pub(crate) enum NoteCommand {
    /// Add a note
    #[command(after_help = "\
Examples:
  family note add \"Wi-Fi\" --content \"The password is on the fridge\" --pin
  family note add \"Packing list\" --content - < packing.txt")]
    Add {
        /// The title
        #[arg(required = true)]
        title: Vec<String>,
        #[command(flatten)]
        fields: Fields,
    },
    /// Change a note
    #[command(after_help = "Example: family note change \"Packing list\" --content - < packing.txt")]
    Change {
        #[command(flatten)]
        target: Target,
        /// The title
        #[arg(long)]
        title: Option<String>,
        /// The note is not pinned
        #[arg(long, conflicts_with = "pin")]
        unpin: bool,
        /// A value to remove. Can be repeated
        #[arg(long, value_name = "FIELD")]
        remove: Vec<Removable>,
        #[command(flatten)]
        fields: Fields,
    },
    /// Show a note with its full content
    #[command(after_help = "Example: family note show Wi-Fi")]
    Show {
        #[command(flatten)]
        record: RecordName,
        #[command(flatten)]
        path: PathOption,
    },
    /// Show a note with its entity tag for `--if-match`. Needs a key that can write
    Etag(RecordName),
    /// Delete a note. It can be restored for 30 days
    #[command(visible_alias = "rm", after_help = "Example: family note delete \"Packing list\"")]
    Delete(Target),
    /// Restore a deleted note
    #[command(after_help = "Example: family note restore 0197…")]
    Restore(RecordId<NoteId>),
}

/// A value that a note need not have.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Removable {
    Category,
    Tags,
}

#[derive(Debug, Args)]
pub(crate) struct Fields {
    /// The text. `-` reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// The note is pinned: it comes first
    #[arg(long)]
    pin: bool,
    /// The category: its id, or its name if a note has it
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// A tag. Can be repeated. The tags replace all tags of the note
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
}

impl Fields {
    fn apply(&self, change: NoteChange, client: &FamilyClient) -> Result<NoteChange, Failure> {
        let change = match self.content.as_deref() {
            None => change,
            Some("-") => change.content(read_input()?),
            Some(text) => change.content(text),
        };
        let change = if self.pin { change.pin() } else { change };
        let change = match &self.category {
            Some(category) => change.category(&find::id_of::<NoteCategory>(client, category)?),
            None => change,
        };
        Ok(if self.tags.is_empty() { change } else { change.tags(&self.tags) })
    }
}

pub(crate) fn run(context: &Context, command: &NoteCommand) -> Result<(), Failure> {
    let notes = || Records::new(context, FamilyClient::notes);
    match command {
        NoteCommand::Add { title, fields } => {
            let notes = notes()?;
            notes.print(notes.api.create(fields.apply(NoteChange::new().title(title.join(" ")), &notes.client)?))
        }
        NoteCommand::Change { target, title, unpin, remove, fields } => {
            let notes = notes()?;
            let note = title.iter().fold(NoteChange::new(), NoteChange::title);
            let note = if *unpin { note.unpin() } else { note };
            let note = remove.iter().fold(note, |note, field| match field {
                Removable::Category => note.clear_category(),
                Removable::Tags => note.tags::<String>([]),
            });
            notes.update(target, &fields.apply(note, &notes.client)?)
        }
        NoteCommand::Show { record, path } => show(context, &record.name, path),
        NoteCommand::Etag(record) => notes()?.print_etag(record),
        NoteCommand::Delete(target) => notes()?.delete(target),
        NoteCommand::Restore(record) => notes()?.restore(record),
    }
}

/// Reads all notes, because the API cannot return a single note.
fn show(context: &Context, name: &str, path: &PathOption) -> Result<(), Failure> {
    let client = context.client_over(path.surface())?;
    let notes = client.read().notes().wait()?;
    let note = find::by_id_or_name(Note::NAME, name, &notes, |note| (&note.id, &note.title))?;
    context.output.print_record(note, path.profile(&client))
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

impl Nameable for Note {
    const NAME: &'static str = "note";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<NoteId>>, Error> {
        Ok(api.notes().wait()?.into_iter().map(|note| Named::new(note.id, note.title)).collect())
    }
}

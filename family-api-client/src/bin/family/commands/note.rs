//! `family note …`

use clap::Subcommand;
use family_api_client::change::NoteChange;
use family_api_client::id::NoteId;

use crate::commands::if_match::IfMatch;
use crate::commands::read::PathOption;
use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum NoteCommand {
    /// Show a whole note
    Show {
        /// Which note; `family read notes` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: NoteId,
        #[command(flatten)]
        path: PathOption,
    },
    /// Show a whole note with the entity tag of its version, which `--if-match` takes; needs a key that may write
    Etag {
        /// Which note; `family read notes` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: NoteId,
    },
    /// Delete a note
    Rm {
        /// Which note; `family read notes` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: NoteId,
        #[command(flatten)]
        if_match: IfMatch,
    },
}

pub(crate) fn run(context: &Context, command: &NoteCommand) -> Result<(), Failure> {
    match command {
        NoteCommand::Show { id, path } => show(context, id, path),
        NoteCommand::Etag { id } => {
            let client = context.client()?;
            // Only updates return the tag of a record: this one changes nothing.
            context.output.versioned(client.notes().update(id, NoteChange::new()), client.profile().get())
        }
        NoteCommand::Rm { id, if_match } => {
            let call = context.client()?.notes().delete(id);
            let call = match &if_match.etag {
                Some(etag) => call.if_match(etag),
                None => call,
            };
            context.output.answer(call, None)
        }
    }
}

/// The API hands out all notes at once.
fn show(context: &Context, id: &NoteId, path: &PathOption) -> Result<(), Failure> {
    let client = context.client_over(path.surface())?;
    let note = client.read().notes().wait()?.into_iter().find(|note| note.id == *id);
    context.output.record(&note.ok_or(Failure::NoNote)?, path.profile(&client))
}

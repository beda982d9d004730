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
    /// Show a note with its full content
    Show {
        /// The note's id, as listed by `family read notes`
        #[arg(allow_hyphen_values = true)]
        id: NoteId,
        #[command(flatten)]
        path: PathOption,
    },
    /// Show a note with its entity tag for `--if-match`. Needs a key that can write
    Etag {
        /// The note's id, as listed by `family read notes`
        #[arg(allow_hyphen_values = true)]
        id: NoteId,
    },
    /// Delete a note
    Rm {
        /// The note's id, as listed by `family read notes`
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
            // The API returns the tag of a single record only after an update, so this update changes no field.
            context.output.print_versioned(client.notes().update(id, NoteChange::new()), client.profile().get())
        }
        NoteCommand::Rm { id, if_match } => {
            let call = context.client()?.notes().delete(id);
            let call = match &if_match.etag {
                Some(etag) => call.if_match(etag),
                None => call,
            };
            context.output.print_response(call, None)
        }
    }
}

/// Reads all notes, because the API cannot return a single note.
fn show(context: &Context, id: &NoteId, path: &PathOption) -> Result<(), Failure> {
    let client = context.client_over(path.surface())?;
    let note = client.read().notes().wait()?.into_iter().find(|note| note.id == *id);
    context.output.print_record(&note.ok_or(Failure::NoteNotFound)?, path.profile(&client))
}

//! `family note …`

use clap::Subcommand;
use family_api_client::id::NoteId;

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
    /// Delete a note
    Rm {
        /// Which note; `family read notes` shows their ids
        #[arg(allow_hyphen_values = true)]
        id: NoteId,
    },
}

pub(crate) fn run(context: &Context, command: &NoteCommand) -> Result<(), Failure> {
    match command {
        NoteCommand::Show { id, path } => show(context, id, path),
        NoteCommand::Rm { id } => context.output.answer(context.client()?.notes().delete(id), None),
    }
}

/// The API hands out all notes at once.
fn show(context: &Context, id: &NoteId, path: &PathOption) -> Result<(), Failure> {
    let client = context.client_over(path.surface())?;
    let note = client.read().notes().wait()?.into_iter().find(|note| note.id == *id);
    context.output.record(&note.ok_or(Failure::NoNote)?, path.profile(&client))
}

//! `family category …`

use std::convert::Infallible;

use clap::Args;
use family_api_client::api::{ChangeOf, ReadApi, RecordsApi};
use family_api_client::change::NoteCategoryChange;
use family_api_client::id::CategoryId;
use family_api_client::resource::NoteCategory;
use family_api_client::{Error, SessionClient};

use super::{Container, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::find::{Nameable, Named};

#[derive(Debug, Args)]
pub(crate) struct NewCategory {
    /// The name
    name: String,
    /// The emoji
    #[arg(long)]
    emoji: Option<String>,
}

/// Only the categories that a note has can be named: the others are in no read.
impl Nameable for NoteCategory {
    const NAME: &'static str = "category";

    fn read_names(api: &ReadApi) -> Result<Vec<Named<CategoryId>>, Error> {
        let categories = api.notes().wait()?.into_iter().filter_map(|note| note.category);
        let mut names: Vec<_> = categories.map(|category| Named::new(category.id, category.name)).collect();
        names.sort_by(|a, b| a.id.cmp(&b.id));
        names.dedup_by(|a, b| a.id == b.id);
        Ok(names)
    }
}

impl Container for NoteCategory {
    type New = NewCategory;
    /// Categories have no position.
    type Order = Infallible;

    const EXAMPLES: &'static str = "\
Examples:
  family category add Recipes --email ana@family.example
  family category delete 0197… --email ana@family.example";

    fn api(session: &SessionClient) -> RecordsApi<Self> {
        session.note_categories()
    }

    fn add(context: &Context, session: &SessionClient, new: &NewCategory) -> Result<(), Failure> {
        let category = new.emoji.iter().fold(NoteCategoryChange::new().name(&new.name), NoteCategoryChange::emoji);
        context.output.print_versioned(session.note_categories().create(category), session.profile().get())
    }

    fn renamed(name: &str) -> NoteCategoryChange {
        NoteCategoryChange::new().name(name)
    }

    fn reordered(order: &Infallible) -> (&Target, ChangeOf<Self>) {
        match *order {}
    }
}

//! `family feed …`

use clap::builder::PossibleValue;
use clap::{Args, Subcommand, ValueEnum};
use family_api_client::SessionClient;
use family_api_client::feed::{CreatedFeed, FeedDetail, FeedDraft, FeedLanguage, FeedSettings, FeedShows, FeedUpdate};
use family_api_client::id::FeedId;

use crate::context::Context;
use crate::failure::Failure;
use crate::find::by_id_or_name;
use crate::output::{self, Output};
use crate::{json, messages};

#[derive(Debug, Subcommand)]
pub(crate) enum FeedsCommand {
    /// Create a calendar feed and print its address to standard output. The address is shown only once
    #[command(after_help = "Example: family feed create \"Family calendar\" --shows both --email ana@family.example")]
    Create {
        /// The name of the calendar
        name: String,
        #[command(flatten)]
        choices: Choices,
    },
    /// List the feeds, newest first
    List,
    /// Change what a feed shows. Its address stays the same
    Edit {
        /// The feed's id, as listed by `family feed list`
        #[arg(allow_hyphen_values = true)]
        id: FeedId,
        /// The name of the calendar
        #[arg(long)]
        name: Option<String>,
        /// Show what every member is assigned to or takes part in
        #[arg(long, conflicts_with = "persons")]
        all_persons: bool,
        /// Show the tasks on all boards
        #[arg(long, conflicts_with = "boards")]
        all_boards: bool,
        #[command(flatten)]
        choices: Choices,
    },
    /// End a feed. Its address is then unknown
    End {
        /// The feed's id, as listed by `family feed list`
        #[arg(allow_hyphen_values = true)]
        id: FeedId,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Choices {
    /// What the feed shows. Default of a new feed: events
    #[arg(long)]
    shows: Option<Name<FeedShows>>,
    /// How much of each record it shows. Default of a new feed: full
    #[arg(long)]
    detail: Option<Name<FeedDetail>>,
    /// Show only what this member is assigned to or takes part in: a name or an id. Can be repeated
    #[arg(long = "person", value_name = "NAME")]
    persons: Vec<String>,
    /// Show only the tasks on this board: a name or an id. Can be repeated
    #[arg(long = "board", value_name = "NAME")]
    boards: Vec<String>,
    /// The language of the words that the feed adds. Default of a new feed: en
    #[arg(long)]
    language: Option<Name<FeedLanguage>>,
}

impl Choices {
    fn to_update(&self, session: &SessionClient, name: Option<String>) -> Result<FeedUpdate, Failure> {
        let mut update = FeedUpdate::new();
        update.name = name;
        update.shows = self.shows.map(|choice| choice.0);
        update.detail = self.detail.map(|choice| choice.0);
        update.language = self.language.map(|choice| choice.0);
        if self.persons.is_empty() && self.boards.is_empty() {
            return Ok(update);
        }
        let known = session.feeds().choices().wait()?;
        let person = |text: &String| by_id_or_name("member", text, &known.persons, |one| (&one.id, &one.name));
        let board = |text: &String| by_id_or_name("board", text, &known.boards, |one| (&one.id, &one.name));
        let persons =
            self.persons.iter().map(|text| Ok(person(text)?.id.clone())).collect::<Result<Vec<_>, Failure>>()?;
        let boards = self.boards.iter().map(|text| Ok(board(text)?.id.clone())).collect::<Result<Vec<_>, Failure>>()?;
        update.person_ids = (!persons.is_empty()).then_some(persons);
        update.board_ids = (!boards.is_empty()).then_some(boards);
        Ok(update)
    }
}

/// A choice, with the name that it has in the API.
#[derive(Debug, Clone, Copy)]
struct Name<T>(T);

macro_rules! names {
    ($($choice:ident { $($variant:ident = $help:literal,)+ })+) => {$(
        impl ValueEnum for Name<$choice> {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self($choice::$variant)),+]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let help = match self.0 {
                    $($choice::$variant => $help,)+
                };
                Some(PossibleValue::new(self.0.as_str()).help(help))
            }
        }
    )+};
}

names! {
    FeedShows {
        Events = "Events",
        Tasks = "Tasks with a due date that are not done",
        Both = "Both",
    }
    FeedDetail {
        Full = "Title, place and description",
        Busy = "Only when it takes time",
    }
    FeedLanguage {
        En = "English",
        Uk = "Ukrainian",
        Es = "Spanish",
        De = "German",
    }
}

pub(crate) fn run(context: &Context, session: &SessionClient, command: &FeedsCommand) -> Result<(), Failure> {
    let profile = Some(session.profile().get());
    match command {
        FeedsCommand::Create { name, choices } => create(context, session, name, choices),
        FeedsCommand::List => context.output.print_response(session.feeds().list(), profile),
        FeedsCommand::Edit { id, name, all_persons, all_boards, choices } => {
            let mut update = choices.to_update(session, name.clone())?;
            update.person_ids = if *all_persons { Some(Vec::new()) } else { update.person_ids };
            update.board_ids = if *all_boards { Some(Vec::new()) } else { update.board_ids };
            context.output.print_response(session.feeds().update(id, update), profile)
        }
        FeedsCommand::End { id } => context.output.print_response(session.feeds().end(id), profile),
    }
}

fn create(context: &Context, session: &SessionClient, name: &str, choices: &Choices) -> Result<(), Failure> {
    let mut settings = FeedSettings::new(name);
    choices.to_update(session, None)?.apply(&mut settings);
    let created = session.feeds().create(FeedDraft::new(settings)).wait().inspect_err(|error| {
        if error.is_in_doubt() {
            messages::print_messages(&["a feed may have been created: check with `family feed list`"]);
        }
    })?;
    print_address(context, &created).map_err(|source| Failure::LostFeed { id: created.feed.id.to_string(), source })?;
    if context.output == Output::Table {
        messages::print_messages(&[format!("created the feed {}; its address is shown only once", created.feed.id)]);
    }
    Ok(())
}

/// Prints only the address, so that a script can read it.
fn print_address(context: &Context, created: &CreatedFeed) -> std::io::Result<()> {
    match context.output {
        Output::Json => json::document(created).and_then(|document| output::print_line(&document)),
        Output::Table => {
            output::print_line(&format!("{}{}", context.service.url.trim_end_matches('/'), created.path.expose()))
        }
    }
}

//! The commands, one file per group.

pub(crate) mod account;
pub(crate) mod changes;
pub(crate) mod container;
pub(crate) mod doctor;
pub(crate) mod event;
pub(crate) mod feeds;
pub(crate) mod keys;
pub(crate) mod mcp_config;
pub(crate) mod note;
pub(crate) mod overview;
pub(crate) mod read;
mod record;
pub(crate) mod shopping;
pub(crate) mod task;

use crate::arguments::{Arguments, Command};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Output;

/// Runs the command of the command line.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let output = if arguments.json { Output::Json } else { Output::Table };
    let context = Context { service: arguments.service, output };
    match arguments.command {
        Command::Me => context.output.print_response(context.client()?.profile().get(), None),
        Command::Members => context.output.print_response(context.client()?.read().members(), None),
        Command::Overview(arguments) => overview::run(&context, &arguments),
        Command::Changes(arguments) => changes::run(&context, &arguments),
        Command::Read(arguments) => read::run(&context, &arguments),
        Command::Tasks { path, filter } => read::tasks(&context, &path, &filter),
        Command::Events { path, days } => read::events(&context, &path, &days),
        Command::Notes(path) => read::notes(&context, &path),
        Command::Shopping(arguments) => shopping::run(&context, &arguments),
        Command::Task(command) => task::run(&context, &command),
        Command::Event(command) => event::run(&context, &command),
        Command::Note(command) => note::run(&context, &command),
        Command::Board(group) => group.run_with_key(&context, container::run),
        Command::Column(group) => group.run_with_key(&context, container::run),
        Command::List(group) => group.run_with_key(&context, container::run),
        Command::Category(group) => group.run_with_key(&context, container::run),
        Command::Keys(group) => group.run(&context, keys::run),
        Command::Deleted(arguments) => account::run_deleted(&context, &arguments),
        Command::Access(group) => group.run(&context, account::run_access),
        Command::Connections(group) => group.run(&context, account::run_connections),
        Command::Feeds(group) => group.run(&context, feeds::run),
        Command::McpConfig(arguments) => mcp_config::run(&context, &arguments),
        Command::Api(arguments) => account::run_api(&context, &arguments),
        Command::Doctor(arguments) => doctor::run(&context, arguments),
    }
}

//! The commands, one file per group.

pub(crate) mod account;
pub(crate) mod container;
pub(crate) mod doctor;
pub(crate) mod event;
pub(crate) mod keys;
pub(crate) mod mcp_config;
pub(crate) mod note;
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
        Command::Read(arguments) => read::run(&context, &arguments),
        Command::Tasks(arguments) => read::run_tasks(&context, &arguments),
        Command::Events(arguments) => read::run_events(&context, &arguments),
        Command::Notes(path) => read::run_notes(&context, &path),
        Command::Shopping(arguments) => shopping::run(&context, &arguments),
        Command::Task(command) => task::run(&context, &command),
        Command::Event(command) => event::run(&context, &command),
        Command::Note(command) => note::run(&context, &command),
        Command::Board(arguments) => container::run(&context, &arguments),
        Command::Column(arguments) => container::run(&context, &arguments),
        Command::List(arguments) => container::run(&context, &arguments),
        Command::Category(arguments) => container::run(&context, &arguments),
        Command::Keys(arguments) => keys::run(&context, &arguments),
        Command::Deleted(arguments) => account::run_deleted(&context, &arguments),
        Command::Access(arguments) => account::run_access(&context, &arguments),
        Command::Connections(arguments) => account::run_connections(&context, &arguments),
        Command::McpConfig(arguments) => mcp_config::run(&context, &arguments),
        Command::Api(arguments) => account::run_api(&context, &arguments),
        Command::Doctor(arguments) => doctor::run(&context, arguments),
    }
}

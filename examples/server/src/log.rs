//! The log: structured lines on standard error, without any secret.

use std::io::{self, BufWriter};

use clap::ValueEnum;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{ParseError, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

const VARIABLE: &str = "FAMILY_API_LOG";

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// `FAMILY_API_LOG` holds no filter.
#[derive(Debug, thiserror::Error)]
#[error("{VARIABLE} is no log filter")]
pub(crate) struct InvalidFilter(#[source] Option<ParseError>);

/// Starts the log, which ends with what is returned: the last lines are written then.
///
/// A thread of its own writes it, all lines that wait at once. Where nobody reads them, lines are lost rather than
/// requests held up.
pub(crate) fn start(format: LogFormat) -> Result<WorkerGuard, InvalidFilter> {
    let filter = filter()?;
    let (writer, guard) = tracing_appender::non_blocking(BufWriter::new(io::stderr()));
    let lines = match format {
        LogFormat::Text => fmt::layer().with_writer(writer).boxed(),
        LogFormat::Json => fmt::layer().json().flatten_event(true).with_writer(writer).boxed(),
    };
    tracing_subscriber::registry().with(filter).with(filter_fn(is_ours_or_calm)).with(lines).init();
    Ok(guard)
}

fn filter() -> Result<Targets, InvalidFilter> {
    match std::env::var(VARIABLE) {
        Ok(filter) => parse(&filter),
        Err(std::env::VarError::NotPresent) => Ok(Targets::new().with_default(Level::INFO)),
        Err(std::env::VarError::NotUnicode(_)) => Err(InvalidFilter(None)),
    }
}

/// Reads `info,family_api_server=debug`. What is neither a target nor a level would be taken for a target that nothing
/// has, and leave the log without a line.
fn parse(filter: &str) -> Result<Targets, InvalidFilter> {
    let parts: Vec<&str> = filter.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'=');
    if parts.iter().any(|part| part.ends_with('=') || !part.bytes().all(is_known)) {
        return Err(InvalidFilter(None));
    }
    parts.join(",").parse().map_err(|error| InvalidFilter(Some(error)))
}

/// Whether a line may be written at all: at `TRACE`, libraries may quote what goes over the wire.
fn is_ours_or_calm(line: &Metadata<'_>) -> bool {
    line.target().starts_with("family_api") || *line.level() <= Level::DEBUG
}

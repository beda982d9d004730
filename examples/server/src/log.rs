//! The log: structured lines on standard error, without any secret.

use std::io::{self, BufWriter};

use clap::ValueEnum;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
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
#[error("{VARIABLE} is no log filter: expected levels, as in `info,family_api_server=debug`")]
pub(crate) struct InvalidFilter;

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
        Ok(filter) if !filter.trim().is_empty() => parse(&filter),
        Ok(_) | Err(std::env::VarError::NotPresent) => Ok(Targets::new().with_default(Level::INFO)),
        Err(std::env::VarError::NotUnicode(_)) => Err(InvalidFilter),
    }
}

fn parse(filter: &str) -> Result<Targets, InvalidFilter> {
    let parts = filter.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(level).try_fold(Targets::new(), |targets, part| {
        Ok(match part? {
            (Some(target), level) => targets.with_target(target, level),
            (None, level) => targets.with_default(level),
        })
    })
}

/// Reads `info`, or `family_api_server=debug`. A word alone that is no level is not taken for a target: nothing would have
/// it, and the log would be without a line.
fn level(part: &str) -> Result<(Option<&str>, LevelFilter), InvalidFilter> {
    let (target, level) = part.rsplit_once('=').map_or((None, part), |(target, level)| (Some(target), level));
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
    let is_target = |target: &str| !target.is_empty() && target.bytes().all(is_named);
    if level.is_empty() || !target.is_none_or(is_target) {
        return Err(InvalidFilter);
    }
    Ok((target, level.parse().map_err(|_| InvalidFilter)?))
}

/// Whether a line may be written at all: at `TRACE`, libraries may quote what goes over the wire.
fn is_ours_or_calm(line: &Metadata<'_>) -> bool {
    line.target().starts_with("family_api") || *line.level() <= Level::DEBUG
}

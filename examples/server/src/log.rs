//! The log: structured lines on standard error, without secrets.

use std::io::{self, BufWriter};

use clap::ValueEnum;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

const VARIABLE: &str = "FAMILY_API_LOG";

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// `FAMILY_API_LOG` does not contain a valid filter.
#[derive(Debug, thiserror::Error)]
#[error("invalid log filter in {VARIABLE}: expected levels, as in `info,family_api_server=debug`")]
pub(crate) struct InvalidFilter;

/// Starts logging. Dropping the returned guard flushes the remaining lines.
///
/// A separate thread writes the queued lines in batches. If standard error is not read and the queue is full, new lines
/// are dropped, so that requests never wait for the log.
pub(crate) fn start(format: LogFormat) -> Result<WorkerGuard, InvalidFilter> {
    let filter = filter()?;
    let (writer, guard) = tracing_appender::non_blocking(BufWriter::new(io::stderr()));
    let lines = match format {
        LogFormat::Text => fmt::layer().with_writer(writer).boxed(),
        LogFormat::Json => fmt::layer().json().flatten_event(true).with_writer(writer).boxed(),
    };
    tracing_subscriber::registry().with(filter).with(filter_fn(may_be_logged)).with(lines).init();
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

/// Parses one entry: `info` or `family_api_server=debug`.
///
/// A single word that is not a level is an error. As a target it would match nothing, and the log would be empty.
fn level(part: &str) -> Result<(Option<&str>, LevelFilter), InvalidFilter> {
    let (target, level) = part.rsplit_once('=').map_or((None, part), |(target, level)| (Some(target), level));
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
    let is_target = |target: &str| !target.is_empty() && target.bytes().all(is_named);
    if level.is_empty() || !target.is_none_or(is_target) {
        return Err(InvalidFilter);
    }
    Ok((target, level.parse().map_err(|_| InvalidFilter)?))
}

/// Returns whether an event may be logged. `TRACE` events of libraries may contain request data, so they are dropped.
fn may_be_logged(line: &Metadata<'_>) -> bool {
    line.target().starts_with("family_api") || *line.level() <= Level::DEBUG
}

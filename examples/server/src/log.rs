//! The log: structured lines on standard error, without secrets.

use std::io::{self, BufWriter};

use clap::ValueEnum;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::error::CommandError;
use crate::metrics::Metrics;
#[cfg(feature = "otel")]
use crate::trace_export::TraceExport;

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

/// On drop, sends the remaining traces and then flushes the log. In this order, because a failed export is logged.
pub(crate) struct LogGuard {
    #[cfg(feature = "otel")]
    _traces: Option<TraceExport>,
    _lines: WorkerGuard,
}

/// Starts logging, measuring storage calls if there are metrics, and exporting traces if a variable names a collector.
///
/// A separate thread writes the queued lines in batches. If standard error is not read and the queue is full, new lines
/// are dropped, so that requests never wait for the log.
pub(crate) fn start(format: LogFormat, metrics: Option<&Metrics>) -> Result<LogGuard, CommandError> {
    let filter = filter()?;
    let (writer, lines_guard) = tracing_appender::non_blocking(BufWriter::new(io::stderr()));
    let lines = match format {
        LogFormat::Text => fmt::layer().with_writer(writer).boxed(),
        LogFormat::Json => fmt::layer().json().flatten_event(true).with_writer(writer).boxed(),
    };
    // The hint lets spans and events below the filter's level end after one comparison.
    let is_loggable = filter_fn(is_loggable).with_max_level_hint(LevelFilter::TRACE);
    // The list contains only layers that exist, each with a filter. `None` as a layer would enable all spans.
    let mut layers = vec![lines.with_filter(filter.and(is_loggable)).boxed()];
    layers.extend(metrics.map(|metrics| metrics.storage_calls.clone().layer().boxed()));
    #[cfg(feature = "otel")]
    let traces = TraceExport::start()?;
    #[cfg(feature = "otel")]
    layers.extend(traces.as_ref().map(|traces| traces.layer().boxed()));
    tracing_subscriber::registry().with(layers).init();
    Ok(LogGuard {
        #[cfg(feature = "otel")]
        _traces: traces,
        _lines: lines_guard,
    })
}

/// Returns whether the log shows the lines of a target at the level `info`.
///
/// `tracing::enabled!` cannot tell it: with several filtered layers, it does not return `false`.
pub(crate) fn shows(target: &str) -> bool {
    filter().is_ok_and(|filter| filter.would_enable(target, &Level::INFO))
}

fn filter() -> Result<Targets, InvalidFilter> {
    match std::env::var(VARIABLE) {
        Ok(filter) if !filter.trim().is_empty() => parse_filter(&filter),
        Ok(_) | Err(std::env::VarError::NotPresent) => Ok(Targets::new().with_default(Level::INFO)),
        Err(std::env::VarError::NotUnicode(_)) => Err(InvalidFilter),
    }
}

fn parse_filter(filter: &str) -> Result<Targets, InvalidFilter> {
    let entries = filter.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(parse_entry).try_fold(Targets::new(), |targets, entry| {
        Ok(match entry? {
            (Some(target), level) => targets.with_target(target, level),
            (None, level) => targets.with_default(level),
        })
    })
}

/// Parses one entry: `info` or `family_api_server=debug`.
///
/// A single word that is not a level, such as `inof`, is an error. As the name of a target, it would match no event,
/// and the log would be empty.
fn parse_entry(entry: &str) -> Result<(Option<&str>, LevelFilter), InvalidFilter> {
    let (target, level) = entry.rsplit_once('=').map_or((None, entry), |(target, level)| (Some(target), level));
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
    let is_target = |target: &str| !target.is_empty() && target.bytes().all(is_name_byte);
    if level.is_empty() || !target.is_none_or(is_target) {
        return Err(InvalidFilter);
    }
    Ok((target, level.parse().map_err(|_| InvalidFilter)?))
}

/// Returns whether an event can be logged. `TRACE` events of libraries can contain request data, so they are dropped.
fn is_loggable(event: &Metadata<'_>) -> bool {
    event.target().starts_with("family_api") || *event.level() <= Level::DEBUG
}

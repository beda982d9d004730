//! The log: structured lines on standard error, without secrets.

use std::fmt;
use std::io::{self, BufWriter, Stderr, Write};
use std::thread::sleep;
use std::time::Duration;

use clap::ValueEnum;
use jiff::Timestamp;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

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
    let (writer, lines_guard) = tracing_appender::non_blocking(BatchWriter::new());
    let lines = layer().with_timer(UtcTime).with_writer(writer);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
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

/// Writes the instant of a line, such as `2026-11-20T10:15:30.123456Z`. The timer of `tracing-subscriber` writes the
/// same and takes three times as long.
struct UtcTime;

impl FormatTime for UtcTime {
    #[expect(clippy::disallowed_methods, reason = "`Clock::now` is in milliseconds")]
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{:.6}", Timestamp::now())
    }
}

/// Pause of the writing thread after a batch.
const BATCH_PAUSE: Duration = Duration::from_millis(10);

/// Size of the buffer of a batch, in bytes.
const BATCH_BUFFER: usize = 64 * 1024;

/// Writes to standard error, and pauses after each batch. The first line after a quiet time is written at once.
///
/// Without the pause, the thread would wait for the next line after almost every line. Each request would then wake it
/// and cause a write of its own: 5 to 8 µs of CPU time instead of 0.3 µs, of about 30 µs for an unchanged read.
struct BatchWriter {
    buffer: BufWriter<Stderr>,
    has_lines: bool,
}

impl BatchWriter {
    fn new() -> Self {
        Self { buffer: BufWriter::with_capacity(BATCH_BUFFER, io::stderr()), has_lines: false }
    }
}

impl Write for BatchWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.has_lines = true;
        self.buffer.write(bytes)
    }

    /// The thread calls it when the queue is empty.
    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()?;
        if std::mem::take(&mut self.has_lines) {
            sleep(BATCH_PAUSE);
        }
        Ok(())
    }
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

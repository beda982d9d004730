//! The metrics of an import, for the textfile collector of Prometheus' `node_exporter`. No server can count an import,
//! because an import is a process of its own.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use family_api_core::{Clock, SystemClock};
use prometheus::{Gauge, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder};

use crate::error::CommandError;
use crate::import::Summary;
use crate::new_file::NewFile;

/// Replaces the file. All users can read it. Without a summary, the import has failed.
pub(super) fn write(file: &Path, took: Duration, summary: Option<&Summary>) -> Result<(), CommandError> {
    let text = text(took, summary)?;
    replace(file, &text).map_err(|source| CommandError::WriteFile { name: file.display().to_string(), source })
}

fn text(took: Duration, summary: Option<&Summary>) -> Result<String, prometheus::Error> {
    let registry = Registry::new();
    let success = IntGauge::new("family_api_import_success", "Whether the last import succeeded.")?;
    success.set(summary.is_some().into());
    registry.register(Box::new(success))?;
    let end = IntGauge::new("family_api_import_end_timestamp_seconds", "When the last import ended.")?;
    end.set(SystemClock.now().as_millis() / 1_000);
    registry.register(Box::new(end))?;
    let duration = Gauge::new("family_api_import_duration_seconds", "Duration of the last import.")?;
    duration.set(took.as_secs_f64());
    registry.register(Box::new(duration))?;
    let records = Opts::new("family_api_import_records", "Imported records of the last import.");
    let records = IntGaugeVec::new(records, &["type"])?;
    for (kind, count) in summary.into_iter().flat_map(Summary::counts) {
        records.with_label_values(&[kind]).set(i64::try_from(count).unwrap_or(i64::MAX));
    }
    registry.register(Box::new(records))?;
    TextEncoder::new().encode_to_string(&registry.gather())
}

fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut new = NewFile::beside(file)?;
    new.write_all(text.as_bytes())?;
    new.allow_all_to_read()?;
    new.replace_target()
}

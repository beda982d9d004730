//! The measurements of the trial, and what must hold for them.

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::figures::{Figures, print_line};
use crate::process::{mebibytes, open_files};
use crate::sandbox::Sandbox;
use crate::soak::bounds::max_added_rows;
use crate::soak::load::Load;
use crate::soak::sample::Sample;
use crate::soak::trend::growth_per_hour;

/// The time in which caches and bounded tables fill.
const WARM_UP: Duration = Duration::from_mins(30);

/// The minimum time after the warm-up from which a trend is computed.
const MIN_TREND: Duration = Duration::from_mins(30);

/// The maximum growth of memory after the warm-up, in KiB per hour.
const MAX_GROWTH: f64 = 1_024.0;

/// The maximum memory, in KiB. The document cache has up to 64 MiB.
const MAX_MEMORY: u64 = 256 * 1_024;

/// The maximum size of SQLite's write-ahead log, in bytes. The server sets this limit.
const MAX_WAL: u64 = 64 * 1_024 * 1_024;

/// The maximum growth of the database after the warm-up, in bytes: for each further row, and in addition for pages that
/// are partly used. PostgreSQL reuses the space of deleted rows only after a vacuum.
const MAX_BYTES_OF_ROW: u64 = 4 * 1_024;
const MAX_UNUSED: u64 = 16 * 1_024 * 1_024;

/// The number of open files that a server may have after the load more than before: connections to the database, and
/// clients that it has not closed yet.
const MAX_NEW_FILES: usize = 24;

/// The maximum time until the server has closed the connections of all clients.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(super) struct Samples {
    database: String,
    /// At least one.
    all: Vec<Sample>,
}

impl Samples {
    /// Takes the first sample, before the load.
    pub(super) async fn start(database: &str, sandbox: &Sandbox, load: &Load) -> Self {
        Self { database: database.to_owned(), all: vec![Sample::take(sandbox, load).await] }
    }

    /// Takes samples until the end of the load. In the long form, every 30 seconds, and prints every second one.
    pub(super) async fn take_until_the_end(&mut self, sandbox: &Sandbox, load: &Load, is_long: bool) {
        let pause = Duration::from_secs(if is_long { 30 } else { 2 });
        let mut next = Instant::now();
        while !load.is_over() {
            next += pause;
            sleep_until(next).await;
            let sample = Sample::take(sandbox, load).await;
            self.check_rows(&sample, load);
            if is_long && self.all.len().is_multiple_of(2) {
                print_line(&sample.line(&self.database, load));
            }
            self.all.push(sample);
        }
    }

    fn check_rows(&self, sample: &Sample, load: &Load) {
        for (table, count) in &sample.rows {
            let most = self.first().rows(table) + max_added_rows(table, load);
            if *count > most {
                load.report(format_args!("{table} has {count} rows, expected at most {most}"));
            }
        }
        if sample.wal_bytes > MAX_WAL {
            load.report(format_args!("the write-ahead log has {} bytes", sample.wal_bytes));
        }
    }

    fn first(&self) -> &Sample {
        &self.all[0]
    }

    fn last(&self) -> &Sample {
        self.all.last().unwrap()
    }

    /// Prints the figures, and asserts that nothing has grown but by data.
    pub(super) fn check(&self, load: &Load) {
        let last = self.last();
        let warm: Vec<&Sample> = self.all.iter().filter(|sample| sample.at >= WARM_UP).collect();
        let resident = |sample: &&Sample| Some((sample.at, u32::try_from(sample.memory?[0]).unwrap().into()));
        let trend: Vec<(Duration, f64)> = warm.iter().filter_map(resident).collect();
        let growth = (last.at >= WARM_UP + MIN_TREND && !trend.is_empty()).then(|| growth_per_hour(&trend));

        let mut figures = Figures::new(format!("Soak, {}, {:.0?}", self.database, last.at));
        figures.add("requests", load.requests());
        figures.add("answers by status", load.statuses());
        figures.add("503 with Retry-After, repeated", load.busy());
        figures.add("unexpected", load.unexpected());
        if let Some([now, peak]) = last.memory {
            figures.add("memory at the end / peak", format!("{} / {}", mebibytes(now), mebibytes(peak)));
        }
        if let Some(growth) = growth {
            figures.add("growth of memory after 30 minutes", format!("{:.2} MiB/h", growth / 1_024.0));
        }
        let sizes = [self.all.first(), warm.first().copied(), Some(last)]
            .map(|sample| sample.map_or_else(|| "-".to_owned(), |sample| mebibytes(sample.database_bytes / 1_024)));
        figures.add("database at the start / after 30 minutes / at the end", sizes.join(" / "));
        figures.add("largest write-ahead log", mebibytes(self.all.iter().map(|s| s.wal_bytes).max().unwrap() / 1_024));
        let files: Vec<usize> = self.all.iter().filter_map(|sample| sample.open_files).collect();
        figures.add(
            "open files: first / most / last",
            format!("{:?} / {:?} / {:?}", files.first(), files.iter().max(), files.last()),
        );
        for (table, count) in &last.rows {
            let before = self.first().rows(table);
            let most = before + max_added_rows(table, load);
            figures.add(format!("rows of {table}: start / end / at most"), format!("{before} / {count} / {most}"));
        }
        figures.print_always();

        if let Some([_, peak]) = last.memory {
            assert!(peak < MAX_MEMORY, "peak memory: {peak} KiB");
        }
        if let Some(growth) = growth {
            assert!(growth < MAX_GROWTH, "memory grows by {growth:.0} KiB per hour");
        }
        if let Some(first) = warm.first() {
            let new_rows = u64::try_from(last.total_rows() - first.total_rows()).unwrap_or_default();
            let most = first.database_bytes + new_rows * MAX_BYTES_OF_ROW + MAX_UNUSED;
            assert!(last.database_bytes <= most, "{} bytes, expected at most {most}", last.database_bytes);
        }
    }

    /// Waits until the server has closed its connections, because no client uses them.
    pub(super) async fn check_open_files(&self, load: &Load) {
        let Some(before) = self.first().open_files else {
            return;
        };
        let began = Instant::now();
        loop {
            let now = open_files(load.server.id()).unwrap();
            if now <= before + MAX_NEW_FILES {
                return;
            }
            assert!(began.elapsed() < TIMEOUT, "{before} open files before the load, {now} after it");
            sleep(Duration::from_millis(100)).await;
        }
    }
}

//! Report tables of the growth measurement.

use std::fmt::Write;

use super::dataset::Dataset;
use crate::report::{Results, Row, figure, mebibytes};

const IMPORTS: &str = "
| families | records | import s | records/s | CPU µs/record | peak memory | database | bytes/family | first response ms | idle memory |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

const READS: &str = "
| families | read/tasks | connections | responses/s | p50 µs | p99 µs | CPU µs | × CPU of the smallest database | × p99 of the smallest database |
|--:|---|--:|--:|--:|--:|--:|--:|--:|
";

pub(super) fn imports(datasets: &[Dataset]) -> String {
    let mut table = IMPORTS.to_owned();
    for dataset in datasets {
        let (records, elapsed) = (dataset.import.records as f64, dataset.import.elapsed.as_secs_f64());
        let cpu = dataset.import.usage.map(|usage| usage.cpu.as_secs_f64() * 1_000_000.0 / records);
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "| {} | {records} | {elapsed:.2} | {:.0} | {} | {} | {} | {} | {:.0} | {} |",
            dataset.families,
            records / elapsed,
            figure(cpu),
            mebibytes(dataset.import.usage.map(|usage| usage.peak_memory)),
            mebibytes(Some(dataset.size)),
            dataset.size / u64::from(dataset.families),
            dataset.first_response.as_secs_f64() * 1_000.0,
            mebibytes(dataset.idle_memory),
        );
    }
    table
}

pub(super) fn reads(datasets: &[Dataset], results: &[Results]) -> String {
    let mut table = READS.to_owned();
    let rows =
        datasets.iter().zip(results).flat_map(|(dataset, results)| results.rows.iter().map(move |row| (dataset, row)));
    for (dataset, row) in rows {
        let smallest = results.first().and_then(|results| results.find(row.name, row.connections));
        line(&mut table, dataset, row, smallest.unwrap_or(row));
    }
    table
}

fn line(table: &mut String, dataset: &Dataset, row: &Row, smallest: &Row) {
    let _ = writeln!(
        table,
        "| {} | {} | {} | {:.0} | {:.0} | {:.0} | {} | {} | {} |",
        dataset.families,
        row.name,
        row.connections,
        row.median(|measurement| measurement.rate),
        row.median(|measurement| measurement.median),
        row.median(|measurement| measurement.p99),
        figure(row.cpu()),
        figure(row.ratio(smallest, |measurement| measurement.cpu)),
        figure(row.ratio(smallest, |measurement| Some(measurement.p99))),
    );
}

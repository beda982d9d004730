//! The tables of a database's growth.

use std::fmt::Write;

use super::town::Town;
use crate::report::{Results, Row, figure, mebibytes};

const IMPORTS: &str = "
| families | records | import s | records/s | CPU µs/record | peak memory | database | bytes/family | first answer ms | idle memory |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

const READS: &str = "
| families | read/tasks | connections | answers/s | p50 µs | p99 µs | CPU µs | × CPU of the smallest | × p99 of the smallest |
|--:|---|--:|--:|--:|--:|--:|--:|--:|
";

pub(super) fn imports(towns: &[Town]) -> String {
    let mut table = IMPORTS.to_owned();
    for town in towns {
        let (records, elapsed) = (town.import.records as f64, town.import.elapsed.as_secs_f64());
        let cpu = town.import.usage.map(|usage| usage.cpu.as_secs_f64() * 1_000_000.0 / records);
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "| {} | {records} | {elapsed:.2} | {:.0} | {} | {} | {} | {} | {:.0} | {} |",
            town.families,
            records / elapsed,
            figure(cpu),
            mebibytes(town.import.usage.map(|usage| usage.peak_memory)),
            mebibytes(Some(town.size)),
            town.size / u64::from(town.families),
            town.first_answer.as_secs_f64() * 1_000.0,
            mebibytes(town.idle_memory),
        );
    }
    table
}

pub(super) fn reads(towns: &[Town], results: &[Results]) -> String {
    let mut table = READS.to_owned();
    let rows = towns.iter().zip(results).flat_map(|(town, results)| results.rows.iter().map(move |row| (town, row)));
    for (town, row) in rows {
        let smallest = results.first().and_then(|results| results.find(row.name, row.connections));
        line(&mut table, town, row, smallest.unwrap_or(row));
    }
    table
}

fn line(table: &mut String, town: &Town, row: &Row, smallest: &Row) {
    let _ = writeln!(
        table,
        "| {} | {} | {} | {:.0} | {:.0} | {:.0} | {} | {} | {} |",
        town.families,
        row.name,
        row.connections,
        row.median(|sample| sample.rate),
        row.median(|sample| sample.median),
        row.median(|sample| sample.p99),
        figure(row.cpu()),
        figure(row.ratio(smallest, |sample| sample.cpu)),
        figure(row.ratio(smallest, |sample| Some(sample.p99))),
    );
}

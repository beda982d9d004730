//! The table of all scenarios on one database.

use std::fmt::Write;

use super::results::{Results, Row};
use crate::scenarios::{PerformanceTarget, Scenario};

const HEAD: &str = "
| | connections | responses/s | p50 µs | p99 µs | CPU µs | bytes | × static | × plain | target |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
";

/// Returns one line for each scenario and number of connections.
pub(crate) fn table(results: &Results, scenarios: &[Scenario]) -> String {
    let mut table = HEAD.to_owned();
    for row in &results.rows {
        if let Some(scenario) = scenarios.iter().find(|scenario| scenario.name == row.name) {
            line(&mut table, results, row, scenario);
        }
    }
    table
}

fn line(table: &mut String, results: &Results, row: &Row, scenario: &Scenario) {
    let ratio_to_baseline = |index: usize| scenario.baselines.and_then(|names| results.cpu_ratio(row, names[index]));
    let targets = scenario.targets.iter().filter(|(connections, _)| *connections == row.connections);
    let targets: Vec<String> =
        targets.map(|(_, target)| outcome(*target, results.measured_value(row, *target))).collect();
    // Writing to a string does not fail.
    let _ = writeln!(
        table,
        "| {} | {} | {:.0} | {:.0} | {:.0} | {} | {:.0} | {} | {} | {} |",
        row.name,
        row.connections,
        row.median(|measurement| measurement.rate),
        row.median(|measurement| measurement.median),
        row.median(|measurement| measurement.p99),
        row.cpu().map_or_else(|| "n/a".to_owned(), |cpu| format!("{cpu:.0}")),
        row.median(|measurement| measurement.bytes),
        ratio_to_baseline(0).map_or_else(String::new, |ratio| figure(Some(ratio))),
        ratio_to_baseline(1).map_or_else(String::new, |ratio| figure(Some(ratio))),
        targets.join("; "),
    );
}

fn outcome(target: PerformanceTarget, measured: Option<f64>) -> String {
    let mark = if measured.is_some_and(|measured| target.is_missed_by(measured)) { ", MISSED" } else { "" };
    format!("{}: {}{mark}", target_text(target), figure(measured))
}

fn target_text(target: PerformanceTarget) -> String {
    match target {
        PerformanceTarget::CpuRatio(max, other) => format!("CPU ≤ {max} × {other}"),
        PerformanceTarget::RateRatio(min, other) => format!("responses/s ≥ {min} × {other}"),
        PerformanceTarget::BytesRatio(max, other) => format!("bytes ≤ {max:.3} × {other}"),
        PerformanceTarget::Bytes(max) => format!("bytes ≤ {max}"),
    }
}

pub(crate) fn figure(figure: Option<f64>) -> String {
    match figure {
        Some(large) if large >= 100.0 => format!("{large:.0}"),
        Some(small) => format!("{small:.2}"),
        None => "n/a".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_figures_have_no_decimals() {
        assert_eq!([figure(Some(0.417)), figure(Some(382.4)), figure(None)], ["0.42", "382", "n/a"]);
    }

    #[test]
    fn a_missed_target_is_marked() {
        let outcome = |measured| outcome(PerformanceTarget::CpuRatio(0.42, "other"), measured);
        assert_eq!(outcome(Some(0.424)), "CPU ≤ 0.42 × other: 0.42");
        assert_eq!(outcome(Some(0.426)), "CPU ≤ 0.42 × other: 0.43, MISSED");
        let rate = PerformanceTarget::RateRatio(1.0, "other");
        assert_eq!(super::outcome(rate, Some(0.996)), "responses/s ≥ 1 × other: 1.00");
        assert_eq!(super::outcome(rate, Some(0.99)), "responses/s ≥ 1 × other: 0.99, MISSED");
        assert_eq!(outcome(None), "CPU ≤ 0.42 × other: n/a");
    }
}

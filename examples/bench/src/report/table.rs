//! The table of a database.

use std::fmt::Write;

use super::results::{Results, Row};
use crate::scenarios::{Aim, Scenario};

const HEAD: &str = "
| | connections | answers/s | p50 µs | p99 µs | CPU µs | bytes | × ready | × plain | aim |
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
    let beside = |which: usize| scenario.beside.and_then(|names| results.cpu_ratio(row, names[which]));
    // Aims apply to the highest load.
    let aims = scenario.aims.iter().filter(|_| scenario.connections.last() == Some(&row.connections));
    let aims: Vec<String> = aims.map(|aim| outcome(*aim, results.reached(row, *aim))).collect();
    // Writing to a string does not fail.
    let _ = writeln!(
        table,
        "| {} | {} | {:.0} | {:.0} | {:.0} | {} | {:.0} | {} | {} | {} |",
        row.name,
        row.connections,
        row.median(|sample| sample.rate),
        row.median(|sample| sample.median),
        row.median(|sample| sample.p99),
        row.cpu().map_or_else(|| "n/a".to_owned(), |cpu| format!("{cpu:.0}")),
        row.median(|sample| sample.wire),
        beside(0).map_or_else(String::new, |ratio| figure(Some(ratio))),
        beside(1).map_or_else(String::new, |ratio| figure(Some(ratio))),
        aims.join("; "),
    );
}

fn outcome(aim: Aim, reached: Option<f64>) -> String {
    let mark = if reached.is_some_and(|reached| aim.is_missed_by(reached)) { ", MISSED" } else { "" };
    format!("{}: {}{mark}", aim_text(aim), figure(reached))
}

fn aim_text(aim: Aim) -> String {
    match aim {
        Aim::Cpu(most, other) => format!("CPU ≤ {most} × {other}"),
        Aim::Share(most, other) => format!("bytes ≤ {most:.3} × {other}"),
        Aim::Bytes(most) => format!("bytes ≤ {most}"),
        Aim::Tail(most) => format!("p99 ≤ {most} × p50"),
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
    fn figures_are_rounded_by_their_size() {
        assert_eq!([figure(Some(0.417)), figure(Some(382.4)), figure(None)], ["0.42", "382", "n/a"]);
    }

    #[test]
    fn a_missed_aim_is_marked() {
        let outcome = |reached| outcome(Aim::Cpu(0.42, "it"), reached);
        assert_eq!(outcome(Some(0.424)), "CPU ≤ 0.42 × it: 0.42");
        assert_eq!(outcome(Some(0.426)), "CPU ≤ 0.42 × it: 0.43, MISSED");
        assert_eq!(outcome(None), "CPU ≤ 0.42 × it: n/a");
    }
}

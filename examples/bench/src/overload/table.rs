//! The report table of the overload measurement.

use std::fmt::Write;

use super::measurement::Overload;
use crate::report::{figure, median};

const HEAD: &str = "
| × capacity | capacity/s | offered/s | refusals/s | goodput | CPU µs/answer | CPU µs/refusal | refusals p50 ms | p99 ms | answers p50 ms | p99 ms | `/healthz` p99 ms |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

/// Returns a line for each factor, with the medians of its rounds.
pub(super) fn table(results: &[(f64, Vec<Overload>)]) -> String {
    let mut table = HEAD.to_owned();
    for (factor, overloads) in results {
        line(&mut table, *factor, overloads);
    }
    table
}

fn line(table: &mut String, factor: f64, overloads: &[Overload]) {
    let figure_of = |of: fn(&Overload) -> f64| median(overloads.iter().map(of).collect());
    let cpu_of = |of: fn(&Overload) -> Option<f64>| overloads.iter().map(of).collect::<Option<_>>().map(median);
    // Writing to a string does not fail.
    let _ = writeln!(
        table,
        "| {factor} | {:.0} | {:.0} | {:.0} | {:.0} % | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
        figure_of(|overload| overload.capacity),
        figure_of(|overload| overload.offered),
        figure_of(|overload| overload.refused),
        figure_of(|overload| overload.answered / overload.capacity * 100.0),
        figure(cpu_of(|overload| overload.cpu_per_answer)),
        figure(cpu_of(|overload| overload.cpu_per_refusal)),
        figure_of(|overload| overload.refusals.median),
        figure_of(|overload| overload.refusals.p99),
        figure_of(|overload| overload.answers.median),
        figure_of(|overload| overload.answers.p99),
        figure_of(|overload| overload.probes.p99),
    );
}

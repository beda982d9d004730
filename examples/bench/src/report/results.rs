//! The measurements of all rounds, and their statistics.

use crate::load::Measurement;
use crate::scenarios::PerformanceTarget;

/// The measurements of a scenario with a number of connections. Each round adds one measurement.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) connections: usize,
    pub(crate) measurements: Vec<Measurement>,
}

#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) rows: Vec<Row>,
}

impl Results {
    pub(crate) fn push(&mut self, name: &'static str, connections: usize, measurement: Measurement) {
        let row = self.rows.iter_mut().find(|row| row.name == name && row.connections == connections);
        match row {
            Some(row) => row.measurements.push(measurement),
            None => self.rows.push(Row { name, connections, measurements: vec![measurement] }),
        }
    }

    /// Returns the ratio of the row's CPU time to the CPU time of another scenario with the same number of connections.
    pub(crate) fn cpu_ratio(&self, row: &Row, other: &str) -> Option<f64> {
        row.ratio(self.find(other, row.connections)?, |measurement| measurement.cpu)
    }

    /// Returns the value that is compared with a target.
    pub(crate) fn measured_value(&self, row: &Row, target: PerformanceTarget) -> Option<f64> {
        match target {
            PerformanceTarget::CpuRatio(_, other) => self.cpu_ratio(row, other),
            PerformanceTarget::BytesRatio(_, other) => {
                let other = self.find(other, row.connections)?;
                Some(row.median(|measurement| measurement.bytes) / other.median(|measurement| measurement.bytes))
            }
            PerformanceTarget::RateRatio(_, other) => {
                row.ratio(self.find(other, row.connections)?, |measurement| Some(measurement.rate))
            }
            PerformanceTarget::Bytes(_) => Some(row.median(|measurement| measurement.bytes)),
        }
    }

    pub(crate) fn find(&self, name: &str, connections: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name && row.connections == connections)
    }
}

impl Row {
    /// Computes the ratio of this row's figure to the other row's figure in each round, and returns the median ratio.
    pub(crate) fn ratio(&self, other: &Self, of: impl Fn(&Measurement) -> Option<f64>) -> Option<f64> {
        let pairs = self.measurements.iter().zip(&other.measurements);
        let ratios: Option<Vec<f64>> = pairs.map(|(one, other)| Some(of(one)? / of(other)?)).collect();
        ratios.map(median)
    }

    pub(crate) fn median(&self, of: impl Fn(&Measurement) -> f64) -> f64 {
        median(self.measurements.iter().map(of).collect())
    }

    pub(crate) fn cpu(&self) -> Option<f64> {
        self.measurements.iter().map(|measurement| measurement.cpu).collect::<Option<Vec<f64>>>().map(median)
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.as_slice() {
        [] => f64::NAN,
        values if values.len() % 2 == 1 => values[half],
        values => f64::midpoint(values[half - 1], values[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(cpu: f64) -> Measurement {
        Measurement { rate: 1.0, median: 10.0, p99: 25.0, cpu: Some(cpu), bytes: 100.0 }
    }

    fn results(rows: &[(&'static str, [f64; 3])]) -> Results {
        let mut results = Results::default();
        for (name, rounds) in rows {
            for cpu in rounds {
                results.push(name, 1, measurement(*cpu));
            }
        }
        results
    }

    fn is_close(actual: Option<f64>, expected: f64) -> bool {
        actual.is_some_and(|actual| (actual - expected).abs() < 1e-9)
    }

    #[test]
    fn the_median_is_the_middle_value() {
        assert!(is_close(Some(median(vec![9.0, 1.0, 2.0])), 2.0));
        assert!(is_close(Some(median(vec![9.0, 1.0, 2.0, 4.0])), 3.0));
        assert!(median(vec![]).is_nan());
    }

    #[test]
    fn a_ratio_is_the_median_of_the_rounds() {
        // The ratio of the medians would be 4.
        let results = results(&[("scenario", [10.0, 40.0, 60.0]), ("baseline", [10.0, 10.0, 20.0])]);
        assert!(is_close(results.cpu_ratio(&results.rows[0], "baseline"), 3.0));
        assert!(results.cpu_ratio(&results.rows[0], "none").is_none());
    }

    #[test]
    fn a_ratio_target_uses_the_scenario_that_it_names() {
        let results = results(&[("scenario", [10.0, 40.0, 60.0]), ("baseline", [10.0, 10.0, 20.0])]);
        let value = |target| results.measured_value(&results.rows[0], target);
        assert!(is_close(value(PerformanceTarget::CpuRatio(1.0, "baseline")), 3.0));
        assert!(is_close(value(PerformanceTarget::BytesRatio(1.0, "baseline")), 1.0));
        assert!(is_close(value(PerformanceTarget::RateRatio(1.0, "baseline")), 1.0));
        assert!(is_close(value(PerformanceTarget::Bytes(1)), 100.0));
    }
}

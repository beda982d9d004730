//! Samples of several rounds, and their statistics.

use crate::load::Sample;
use crate::scenarios::Aim;

/// The samples of a scenario with one number of connections, one per round.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) connections: usize,
    pub(crate) samples: Vec<Sample>,
}

#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) rows: Vec<Row>,
}

impl Results {
    pub(crate) fn push(&mut self, name: &'static str, connections: usize, sample: Sample) {
        let row = self.rows.iter_mut().find(|row| row.name == name && row.connections == connections);
        match row {
            Some(row) => row.samples.push(sample),
            None => self.rows.push(Row { name, connections, samples: vec![sample] }),
        }
    }

    /// Subtracts the CPU time of one scenario from that of another, round by round.
    pub(crate) fn take_off(&mut self, name: &'static str, from: &'static str) {
        let taken: Vec<(usize, Vec<Option<f64>>)> = (self.rows.iter().filter(|row| row.name == name))
            .map(|row| (row.connections, row.samples.iter().map(|sample| sample.cpu).collect()))
            .collect();
        for row in self.rows.iter_mut().filter(|row| row.name == from) {
            let Some((_, cpu)) = taken.iter().find(|(connections, _)| *connections == row.connections) else {
                continue;
            };
            for (sample, cpu) in row.samples.iter_mut().zip(cpu) {
                sample.cpu = sample.cpu.zip(*cpu).map(|(with, without)| with - without);
            }
        }
    }

    /// Returns the ratio of its CPU time to that of another scenario with the same number of connections.
    pub(crate) fn cpu_ratio(&self, row: &Row, other: &str) -> Option<f64> {
        row.ratio(self.find(other, row.connections)?, |sample| sample.cpu)
    }

    /// Returns the measured value of an aim.
    pub(crate) fn reached(&self, row: &Row, aim: Aim) -> Option<f64> {
        match aim {
            Aim::Cpu(_, other) => self.cpu_ratio(row, other),
            Aim::Share(_, other) => {
                let other = self.find(other, row.connections)?;
                Some(row.median(|sample| sample.wire) / other.median(|sample| sample.wire))
            }
            Aim::Bytes(_) => Some(row.median(|sample| sample.wire)),
            Aim::Tail(_) => Some(row.median(|sample| sample.p99 / sample.median)),
        }
    }

    pub(crate) fn find(&self, name: &str, connections: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name && row.connections == connections)
    }
}

impl Row {
    /// Returns the median, over the rounds, of the ratio of a figure to that of another row.
    pub(crate) fn ratio(&self, other: &Self, of: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
        let pairs = self.samples.iter().zip(&other.samples);
        let ratios: Option<Vec<f64>> = pairs.map(|(one, other)| Some(of(one)? / of(other)?)).collect();
        ratios.map(median)
    }

    pub(crate) fn median(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(of).collect())
    }

    pub(crate) fn cpu(&self) -> Option<f64> {
        self.samples.iter().map(|sample| sample.cpu).collect::<Option<Vec<f64>>>().map(median)
    }
}

/// Returns the median.
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

    fn sample(cpu: f64) -> Sample {
        Sample { rate: 1.0, median: 10.0, p99: 25.0, cpu: Some(cpu), wire: 100.0 }
    }

    fn results(rows: &[(&'static str, [f64; 3])]) -> Results {
        let mut results = Results::default();
        for (name, rounds) in rows {
            for cpu in rounds {
                results.push(name, 1, sample(*cpu));
            }
        }
        results
    }

    fn same(actual: Option<f64>, expected: f64) -> bool {
        actual.is_some_and(|actual| (actual - expected).abs() < 1e-9)
    }

    #[test]
    fn the_median_is_the_middle_value() {
        assert!(same(Some(median(vec![9.0, 1.0, 2.0])), 2.0));
        assert!(same(Some(median(vec![9.0, 1.0, 2.0, 4.0])), 3.0));
        assert!(median(vec![]).is_nan());
    }

    #[test]
    fn a_ratio_is_the_median_of_the_rounds() {
        // The ratio of the medians would be 4.
        let results = results(&[("it", [10.0, 40.0, 60.0]), ("base", [10.0, 10.0, 20.0])]);
        assert!(same(results.cpu_ratio(&results.rows[0], "base"), 3.0));
        assert!(results.cpu_ratio(&results.rows[0], "none").is_none());
    }

    #[test]
    fn the_subtracted_cpu_is_from_the_same_round() {
        let mut results = results(&[("both", [10.0, 20.0, 31.0]), ("one", [1.0, 2.0, 3.0])]);
        results.take_off("one", "both");
        assert!(same(results.rows[0].cpu(), 18.0));
    }

    #[test]
    fn an_aim_is_compared_with_the_scenario_that_it_names() {
        let results = results(&[("it", [10.0, 40.0, 60.0]), ("base", [10.0, 10.0, 20.0])]);
        let reached = |aim| results.reached(&results.rows[0], aim);
        assert!(same(reached(Aim::Cpu(1.0, "base")), 3.0));
        assert!(same(reached(Aim::Share(1.0, "base")), 1.0));
        assert!(same(reached(Aim::Bytes(1)), 100.0));
        assert!(same(reached(Aim::Tail(3.0)), 2.5));
    }
}

//! The trend of a measurement.

use std::time::Duration;

const HOUR: f64 = 3_600.0;

/// Returns by how much a measurement grows in an hour: the slope of the line with the least squares.
pub(super) fn growth_per_hour(measurements: &[(Duration, f64)]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no trial has 2^52 samples")]
    let count = measurements.len() as f64;
    let hours = |at: &Duration| at.as_secs_f64() / HOUR;
    let mean_time = measurements.iter().map(|(at, _)| hours(at)).sum::<f64>() / count;
    let mean = measurements.iter().map(|(_, value)| value).sum::<f64>() / count;
    let covariance: f64 = measurements.iter().map(|(at, value)| (hours(at) - mean_time) * (value - mean)).sum();
    let variance: f64 = measurements.iter().map(|(at, _)| (hours(at) - mean_time).powi(2)).sum();
    covariance / variance
}

#[test]
fn growth_is_that_of_the_line_through_the_measurements() {
    let at = |minutes| Duration::from_mins(minutes);
    let line: Vec<_> = (0..10_u32).map(|n| (at(30 + u64::from(n)), 7.0 + f64::from(n))).collect();
    assert!((growth_per_hour(&line) - 60.0).abs() < 1e-6);
    let waves: Vec<_> = (0..1_000_u32).map(|n| (at(n.into()), f64::from(n % 10))).collect();
    assert!(growth_per_hour(&waves).abs() < 0.01);
}

//! Systems other than Linux: pins nothing and returns no figures.

use std::io;
use std::time::Duration;

use super::Usage;

pub(super) fn cores() -> Vec<usize> {
    vec![]
}

pub(super) fn pin_thread(_cores: &[usize]) -> io::Result<()> {
    Ok(())
}

pub(crate) fn cpu_time(_process: u32) -> Option<Duration> {
    None
}

pub(crate) fn memory(_process: u32) -> Option<u64> {
    None
}

pub(crate) fn peak_memory(_process: u32) -> Option<u64> {
    None
}

pub(crate) fn usage_of_children() -> Option<Usage> {
    None
}

pub(crate) fn model() -> Option<String> {
    None
}

//! The error type of the benchmark.

use std::error::Error;

/// Any error, printed on one line.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

pub(crate) type Result<T> = std::result::Result<T, Failure>;

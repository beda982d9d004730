//! The error type of the benchmark.

use std::error::Error;

/// Any error. `main` prints it on one line.
pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

pub(crate) type Result<T> = std::result::Result<T, BoxError>;

//! Why a measurement ends.

use std::error::Error;

/// Anything that people are told in one line.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

pub(crate) type Result<T> = std::result::Result<T, Failure>;

//! A storage in memory, for tests and trials.

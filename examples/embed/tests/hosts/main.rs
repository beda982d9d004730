//! Apps with other tables than the example, each with the whole conformance suite, and with flaws that turn it red.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod boards;
mod calendar;
mod flat;

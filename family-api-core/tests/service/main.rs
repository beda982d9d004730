//! The service, called by a program in the same process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod audit;
mod documents;
mod entity_tags;
mod fixture;
mod last_use;
mod purge;
mod rate_limits;
mod values;
mod watched;

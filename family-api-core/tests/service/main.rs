//! The service, called by a program in the same process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod audit;
mod documents;
mod entity_tags;
mod house;
mod last_use;
mod purge;
mod quotas;
mod values;
mod watched;

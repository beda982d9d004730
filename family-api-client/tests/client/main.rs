//! The client against the real routes, and against servers that behave badly, over real sockets.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod conditional;
mod lost_answers;
mod operations;
mod retries;
mod safety;
mod service;
mod sign_out;
mod unhappy;
#[cfg(feature = "blocking")]
mod waiting;

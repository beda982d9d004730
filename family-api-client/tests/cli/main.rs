//! The command `family`, run as it is, against the real routes over a socket.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod credentials;
mod exit_codes;
mod keys;
mod output;
mod reading;
mod records;
mod sandbox;
mod service;
mod sign_in;
mod writing;

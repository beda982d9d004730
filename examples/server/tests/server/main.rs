//! The real binary, over a real socket, on a real file.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod canaries;
mod client;
mod curl;
mod demo;
mod documentation;
mod family;
mod import;
mod import_faults;
mod life_of_a_key;
mod sandbox;
mod service_routes;
mod set_password;
mod shutdown;
mod sign_in;
mod start;

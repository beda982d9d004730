//! Tests the client with the real routes and with faulty servers, over real sockets.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod batch;
#[cfg(feature = "blocking")]
mod blocking;
mod cache;
mod calls;
mod creations;
mod follower;
mod lost_responses;
mod records;
mod retries;
mod safety;
mod service;
mod sign_out;
mod unexpected_responses;

#![doc = include_str!("../README.md")]
#![expect(clippy::missing_errors_doc, reason = "this is an example, and the error types are clear")]

mod app;
mod household;
mod session;
pub mod storage;

#![doc = include_str!("../README.md")]
#![expect(clippy::missing_errors_doc, reason = "their types say it, and this is an example")]

mod app;
mod household;
mod session;
pub mod storage;

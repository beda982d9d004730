//! The tools that an assistant can call, without HTTP and without the protocol.
//!
//! The [registry] lists all tools. A tool checks its [arguments] and calls the services of [`FamilyApi`] for the caller
//! of a [`Call`]. Its [answer] contains [records] for a model. Tools that differ only in the kind of record share a file.
//!
//! [`FamilyApi`]: family_api_core::FamilyApi

mod answer;
mod arguments;
mod call;
mod error;
mod instant;
mod read;
mod records;
mod registry;
mod tool;
mod write;

pub(crate) use answer::Answer;
pub(crate) use call::Call;
pub(crate) use error::ToolError;
pub(crate) use registry::{definitions, find};
pub(crate) use tool::Definition;

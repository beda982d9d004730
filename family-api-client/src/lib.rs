#![doc = include_str!("../README.md")]

pub mod api;
mod builder;
mod client;
mod error;
mod transport;

pub use builder::FamilyClientBuilder;
pub use client::FamilyClient;
pub use error::Error;

pub use family_api_core::change::FieldFault;
pub use family_api_core::resource;
pub use jiff::civil::Date;

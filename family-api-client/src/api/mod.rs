//! The areas of the API, each with its verbs.

mod profile;
mod read;

pub use profile::Profiles;
pub use read::Reading;

//! The areas of the API, each with its verbs.

mod keys;
mod notes;
mod profile;
mod read;
mod tasks;

pub use keys::Keys;
pub use notes::Notes;
pub use profile::{OwnProfile, Profiles};
pub use read::Reading;
pub use tasks::Tasks;

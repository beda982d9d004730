//! The areas of the API, each with its verbs.

mod keys;
mod notes;
mod profile;
mod read;
mod tasks;

pub use keys::KeysApi;
pub use notes::NotesApi;
pub use profile::{OwnProfileApi, ProfileApi};
pub use read::ReadApi;
pub use tasks::TasksApi;

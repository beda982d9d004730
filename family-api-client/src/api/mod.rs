//! The areas of the API, one type for each. Their methods return a [`Call`](crate::Call).

mod connections;
mod keys;
mod notes;
mod profile;
mod read;
mod tasks;

pub use connections::ConnectionsApi;
pub use keys::KeysApi;
pub use notes::NotesApi;
pub use profile::{OwnProfileApi, ProfileApi};
pub use read::ReadApi;
pub use tasks::TasksApi;

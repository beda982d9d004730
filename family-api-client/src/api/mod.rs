//! The areas of the API, one type for each. Their methods return a [`Call`](crate::Call).

mod connections;
mod feeds;
mod keys;
mod profile;
mod read;
mod records;

pub use connections::ConnectionsApi;
pub use feeds::FeedsApi;
pub use keys::KeysApi;
pub use profile::{OwnProfileApi, ProfileApi};
pub use read::ReadApi;
pub use records::*;

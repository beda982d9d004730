//! One operation per file. A handler parses the request, calls the service and returns the response.
//!
//! A handler checks in this order: permission, path and query, body, record (HTTP reference, "Order of checks").

mod create_key;
mod delete_note;
mod get_openapi;
mod get_profile;
mod list_connections;
mod list_keys;
#[cfg(feature = "page")]
mod page;
mod read_resource;
mod revoke_connection;
mod revoke_key;
mod update_note;
mod update_profile;
mod update_task;

pub(crate) use create_key::CreateKey;
pub(crate) use delete_note::DeleteNote;
pub(crate) use get_openapi::{GetOpenApi, OpenApi};
pub(crate) use get_profile::GetProfile;
pub(crate) use list_connections::ListConnections;
pub(crate) use list_keys::ListKeys;
#[cfg(feature = "page")]
pub(crate) use page::{GetPage, GetPageFile};
pub(crate) use read_resource::ReadResource;
pub(crate) use revoke_connection::RevokeConnection;
pub(crate) use revoke_key::RevokeKey;
pub(crate) use update_note::UpdateNote;
pub(crate) use update_profile::UpdateProfile;
pub(crate) use update_task::UpdateTask;

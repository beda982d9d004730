//! One operation per file. A handler parses the request, calls the service and returns the response.
//!
//! A handler checks in this order: permission, path and query, body, record (HTTP reference, "Order of checks").

mod create_key;
mod create_record;
mod delete_checked_items;
mod delete_record;
mod get_openapi;
mod get_profile;
mod list_connections;
mod list_deleted;
mod list_keys;
#[cfg(feature = "page")]
mod page;
mod read_resource;
mod restore_record;
mod revoke_access;
mod revoke_connection;
mod revoke_key;
mod update_profile;
mod update_record;

pub(crate) use create_key::CreateKey;
pub(crate) use create_record::CreateRecord;
pub(crate) use delete_checked_items::DeleteCheckedItems;
pub(crate) use delete_record::DeleteRecord;
pub(crate) use get_openapi::{GetOpenApi, OpenApi};
pub(crate) use get_profile::GetProfile;
pub(crate) use list_connections::ListConnections;
pub(crate) use list_deleted::ListDeleted;
pub(crate) use list_keys::ListKeys;
#[cfg(feature = "page")]
pub(crate) use page::{GetPage, GetPageFile};
pub(crate) use read_resource::ReadResource;
pub(crate) use restore_record::RestoreRecord;
pub(crate) use revoke_access::RevokeAccess;
pub(crate) use revoke_connection::RevokeConnection;
pub(crate) use revoke_key::RevokeKey;
pub(crate) use update_profile::UpdateProfile;
pub(crate) use update_record::UpdateRecord;
